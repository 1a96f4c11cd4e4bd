import { AsyncLocalStorage } from 'node:async_hooks'
import { processWide } from '../node/process-wide.ts'
import { type CallSite, callSite, captureTrail, printCallSite } from '../run/call-site.ts'
import { isThenable } from '../run/is-thenable.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { onFirstRead } from './first-read.ts'

/** What a test has begun and has not come to an end: a replay, or an assertion about one. */
interface Opened {
  /** As in a message: `the replay of "refund"`. */
  readonly what: string
  readonly site: CallSite | undefined
}

/** A replay of a test that nothing has looked at. */
interface Unseen extends Opened {
  readonly run: object
  readonly tell: TellUnseen
}

/**
 * Tells of a replay that its test ended without looking at.
 *
 * @returns Whether the test fails.
 */
export type TellUnseen = (run: object, test: object) => Promise<boolean>

/** What a test has begun. */
interface TestWork {
  readonly open: Set<Opened>
  readonly unseen: Set<Unseen>
}

// A test runner may load one copy of the package for its tests and another for their environment.
const storage = processWide('test-work', () => new AsyncLocalStorage<TestWork>())

/** Notes work that a test has begun, until its promise settles. */
export function noteOpenWork<Result>(what: string, begin: () => Promise<Result>): Promise<Result> {
  return note(what, begin, () => undefined)
}

/** Notes a replay that a test has begun, until its run is looked at: by an assertion, or by reading anything of it. */
export function noteReplay<Run extends object>(what: string, begin: () => Promise<Run>, tell: TellUnseen): Promise<Run> {
  return note(what, begin, ({ unseen }, opened, run) => {
    const noted = { ...opened, run, tell }
    if (onFirstRead(run, () => unseen.delete(noted))) unseen.add(noted)
  })
}

function note<Result>(
  what: string,
  begin: () => Promise<Result>,
  settled: (test: TestWork, opened: Opened, result: Result) => void,
): Promise<Result> {
  const test = storage.getStore()
  if (test === undefined) return begin()
  const opened = { what, site: callSite(captureTrail().stack) }
  test.open.add(opened)
  const work = begin()
  const close = (): void => void test.open.delete(opened)
  work.then((result) => (close(), settled(test, opened, result)), close)
  return work
}

/**
 * Runs a test. Hooks are not tests: what one begins, a later test may await.
 *
 * @param test The runner's own description of the test, for `TestRunner.tell`.
 * @throws GoldenrunError `GOLDENRUN_NOT_AWAITED` if the test ends while a replay or an assertion that it began is still in progress, whose verdict would
 * be lost; `GOLDENRUN_NOT_ASSERTED` if it ends without looking at a replay, where the config has `assertReplays`.
 */
export function runTest<Result>(body: () => Result, test: object = {}): Result {
  const work: TestWork = { open: new Set(), unseen: new Set() }
  const result = storage.run(work, body)
  // A replay cannot have come to its end within a test that is not asynchronous.
  if (!isThenable(result)) return (checkOver([...work.open]), result)
  const ended = async (value: unknown): Promise<unknown> => {
    checkOver([...work.open])
    for (const noted of work.unseen) if (await noted.tell(noted.run, test)) throw notAsserted(noted)
    return value
  }
  return Promise.resolve(result).then(ended) as Result
}

function checkOver(open: readonly Opened[]): void {
  const [first] = open.toSorted((one, other) => Number(other.what === ASSERTION) - Number(one.what === ASSERTION))
  if (first === undefined) return
  const problem = `The test ended while ${first.what} was still in progress, so it could not fail.`
  const advice = `Await it: ${first.what === ASSERTION ? 'await expect(replay(…)).toReplayWithoutDivergence()' : 'await replay(…)'}`
  throw new GoldenrunError('GOLDENRUN_NOT_AWAITED', [problem, ...placeOf(first), advice].join('\n'))
}

function notAsserted(unseen: Unseen): GoldenrunError {
  const problem = `The test ended without looking at what came of ${unseen.what}, so it could not fail.`
  const advice = 'Assert that it holds: expect(run).toReplayWithoutDivergence(), where run is what replay(…) returned'
  return new GoldenrunError('GOLDENRUN_NOT_ASSERTED', [problem, ...placeOf(unseen), advice].join('\n'))
}

function placeOf({ site }: Opened): string[] {
  return site === undefined ? [] : [`  at  ${printCallSite(site)}`]
}

/** An assertion about a promise of a run. */
export const ASSERTION = 'an assertion'
