import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { createTemporaryDirectory } from '../../test/support/temporary-directory.ts'
import { countRecorded, type Recorded } from './count-recorded.ts'
import { type Outcome, runTestFile, type TestFile } from './run-test-file.ts'

/** The result of a test file when it is recorded. */
export interface Verdict extends Recorded {
  /** `fails`: the same with recording and without. `flaky`: it differs between runs by itself, or differed once and never again. */
  readonly kind: 'same' | 'fails' | 'flaky' | 'different'
  readonly file: string
  /** The number of tests that it reported. */
  readonly tests: number
  readonly details: readonly string[]
}

/** How often a file that differed is run again, each time with and without recording. */
const repeats = 4

/**
 * Runs a test file without goldenrun and recorded, the given number of times, and again if the results differ.
 *
 * @param driver The prefix of the names of its steps.
 */
export async function compareFile(
  file: TestFile,
  {
    driver,
    environment,
    times,
  }: { readonly driver: string; readonly environment: Readonly<Record<string, string>>; readonly times: number },
): Promise<Verdict> {
  await using directory = await createTemporaryDirectory()
  const plain: Outcome[] = []
  const recorded: Outcome[] = []
  const both = async (): Promise<void> => {
    const number = plain.length
    plain.push(await runTestFile(file, environment, directory.resolve(`plain-${number}.json`)))
    const store = { GOLDENRUN_STORE: directory.resolve('runs', String(number)), NODE_OPTIONS: preload() }
    recorded.push(await runTestFile(file, { ...environment, ...store }, directory.resolve(`recorded-${number}.json`)))
  }
  for (let time = 0; time < times; time += 1) await both()
  const counted = await countRecorded(directory.resolve('runs', '0'), driver)
  const isAlike = (): boolean => [...plain, ...recorded].every((outcome) => isSame(outcome, plain[0]))
  if (!isAlike()) for (let time = 0; time < repeats; time += 1) await both()
  const [first] = plain
  if (first === undefined) throw new Error('A file has to be run at least once.')
  const told = { file: file.name, tests: Object.keys(first.tests).length, ...counted }
  if (isAlike()) return first.exit === '0' ? { ...told, kind: 'same', details: [] } : { ...told, kind: 'fails', details: failures(first) }
  const varies = plain.some((outcome) => !isSame(outcome, first))
  const odd = recorded.filter((outcome) => !plain.some((other) => isSame(outcome, other)))
  const kind = varies || odd.length <= 1 ? 'flaky' : 'different'
  const counts = `${odd.length} of ${recorded.length} recorded runs had a result that no other run had; the plain ones ${varies ? 'vary' : 'agree'}`
  return { ...told, kind, details: [counts, ...differences(first, odd[0] ?? recorded.find((outcome) => !isSame(outcome, first)) ?? first)] }
}

/** Returns the preload of `goldenrun record --whole-process`. */
function preload(): string {
  const urls = ['dist/register.js', 'dist/record/record-at-start.js'].map((built) => pathToFileURL(path.resolve(built)).href)
  return urls.map((url) => `--import ${url}`).join(' ')
}

function isSame(one: Outcome, other: Outcome | undefined): boolean {
  return one.exit === other?.exit && isDeepStrictEqual(statesOf(one), statesOf(other))
}

/** Returns the states of tests without their messages, in which ports and times differ. */
function statesOf({ tests }: Outcome): Record<string, string> {
  return Object.fromEntries(Object.entries(tests).map(([name, result]) => [name, result.split(':', 1)[0] ?? '']))
}

function failures({ exit, tests, printed }: Outcome): string[] {
  const failed = Object.entries(tests).filter(([, result]) => result.startsWith('fails'))
  if (failed.length > 0) return failed.map(([name, result]) => `${name} ${result}`)
  return [`exit ${exit}: ${lastError(printed)}`]
}

function differences(plain: Outcome, other: Outcome): string[] {
  const names = new Set([...Object.keys(plain.tests), ...Object.keys(other.tests)])
  const tests = [...names]
    .filter((name) => plain.tests[name] !== other.tests[name])
    .map((name) => `${name}: ${plain.tests[name] ?? 'is not run'}; recorded: ${other.tests[name] ?? 'is not run'}`)
  const exit = plain.exit === other.exit ? [] : [`exit ${plain.exit}; recorded: exit ${other.exit}: ${lastError(other.printed)}`]
  return [...tests, ...exit]
}

/** Returns the printed line that looks most like a reason. */
function lastError(printed: string): string {
  const lines = printed.split('\n').filter((line) => line.trim() !== '')
  return (lines.find((line) => /Error|did not complete/.test(line)) ?? lines.at(-1) ?? '').trim().slice(0, 200)
}
