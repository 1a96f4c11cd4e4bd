import { fileURLToPath } from 'node:url'
import { orElse } from '../../../trace/or-else.ts'

/** The path of a `file:` URL; SQLite also accepts one with a relative path. */
export function pathOfUrl(url: string): string {
  return orElse(() => fileURLToPath(new URL(url)), url.replace(/^file:(?:\/\/)?/, '').replace(/[?#].*/, ''))
}

/** Whether the database is in memory or a temporary file. @param given A path or a `file:` URL, as text, bytes or a `URL`; none means temporary. */
export function isInMemory(given: unknown): boolean {
  const text = given === undefined || given === null ? '' : textOf(given)
  return text.trim() === '' || /^(?:file:)?:memory:/.test(text.trim()) || /^file:.*[?&]mode=memory\b/.test(text)
}

/** A path, as text or bytes, or a URL. */
export function textOf(given: unknown): string {
  if (given instanceof Uint8Array) return Buffer.from(given).toString()
  return given instanceof URL ? given.href : (given as string)
}
