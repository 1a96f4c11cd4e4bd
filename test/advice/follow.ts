import type { AdviceId } from '../../src/divergence/report/advice-ids.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import type { AdvisedProject } from './advised-project.ts'

/** Makes a report that gives an advice, follows it to the letter, and fails unless it ends as it promises. */
export type Follow = (project: AdvisedProject) => Promise<void>

/** What only a test runner prints: `follow-in-vitest.slow.test.ts`. */
export type InVitest = 'accept' | 'remove-mock' | 'mocked-own-module' | 'restore-functions'

/** A case for each advice of a group. */
export type Cases<Id extends AdviceId> = Readonly<Record<Id, Follow>>

/** Fails unless a replay holds. */
export function expectGreen({ divergences, outcome }: ReplayedRun): void {
  if (divergences.length > 0) throw new Error(`The replay does not hold: ${JSON.stringify({ divergences, outcome }, undefined, 2)}`)
}

/** The code within an advice in words. */
export function unquote(pattern: RegExp, words: string): string {
  const [code] = pattern.exec(words) ?? []
  if (code === undefined) throw new Error(`There is no code in: ${words}`)
  return code
}
