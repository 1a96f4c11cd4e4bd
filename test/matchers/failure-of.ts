import { stripVTControlCharacters } from 'node:util'
// oxlint-disable-next-line import/no-unassigned-import -- the assertions whose failures are looked at are registered by it
import '../../src/vitest/register-matchers.ts'

/** The message with which an assertion fails, without its colours. Throws when it passes. */
export function failureOf(assertion: () => unknown): string {
  try {
    assertion()
  } catch (error) {
    return stripVTControlCharacters((error as Error).message)
  }
  throw new Error('The assertion passed.')
}
