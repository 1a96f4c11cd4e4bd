import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { HostileProject } from './hostile-project.ts'
import { watchProcess, type WatchedProcess } from './watched-process.ts'

/** A program that replays all goldens of the project in one start. */
export interface Runner {
  readonly program: string
  /** Its arguments, where its report goes to a file. */
  args(names: readonly string[], report: string): readonly string[]
  /** How many goldens one start takes. */
  readonly together: number
  /** The CPU time that a golden may take on average, in seconds: more means that one of them takes long. */
  readonly secondsEach: number
  /** Variables of its environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Reads what it reported of each golden, by the golden's name. */
  readonly outcomes: (report: string, stdout: string) => ReadonlyMap<string, Outcome>
}

/** What a runner says of one golden. */
export interface Outcome {
  /** Its first failure; empty if it holds. */
  readonly message: string
  /** How long it took, in milliseconds. 0 if the runner does not say. */
  readonly milliseconds: number
}

/** A mutant that came to something else than a verdict or an error that names it, and what it came to. */
export interface Fault {
  readonly name: string
  readonly text: string
}

const HANG_SECONDS = 5
const MOST_MEGABYTES = 500

/** Replays mutants in starts of a runner, many at a time. What goes wrong with many is tried again with fewer, down to the mutant that does it. */
export class MutantsTogether {
  readonly counts: Record<'verdict' | 'named', number> = { verdict: 0, named: 0 }
  /** The most memory that a process took, in megabytes. */
  megabytes = 0
  readonly #project: HostileProject
  readonly #runner: Runner
  #start = 0

  constructor(project: HostileProject, runner: Runner) {
    this.#project = project
    this.#runner = runner
  }

  /** Measures what a start takes with a golden that nobody changed. */
  async measureStart(golden: Uint8Array): Promise<void> {
    const { run, outcome } = await this.#replay(new Map([['unchanged', golden]]), 600)
    if (outcome('unchanged')?.message !== '') throw new Error(`The runner does not replay a golden that nobody changed:\n${run.output}`)
    this.#start = run.seconds
  }

  /** Replays mutants, by their names. */
  async replay(mutants: ReadonlyMap<string, Uint8Array>): Promise<readonly Fault[]> {
    const { run, outcome } = await this.#replay(mutants, this.#start + HANG_SECONDS + (mutants.size - 1) * this.#runner.secondsEach)
    const [[name = ''] = []] = mutants
    const wrong = faultOf(run)
    if (wrong !== undefined) {
      if (mutants.size === 1) return [{ name, text: `${wrong}\n${run.output.slice(-1500)}` }]
      const [first, second] = halves(mutants)
      return [...(await this.replay(first)), ...(await this.replay(second))]
    }
    this.megabytes = Math.max(this.megabytes, run.megabytes)
    const faults: Fault[] = []
    for (const [each, bytes] of mutants) {
      const came = outcome(each)
      const kind = came && kindOf(each, came.message)
      // On a busy machine, a golden may take long without doing much: alone, it is the CPU time that counts.
      const isSlow = came !== undefined && came.milliseconds > HANG_SECONDS * 1000
      if (kind !== undefined && (!isSlow || mutants.size === 1)) this.counts[kind] += 1
      else if (mutants.size > 1) faults.push(...(await this.replay(new Map([[each, bytes]]))))
      else faults.push({ name: each, text: came?.message ?? `not named\n${run.output.slice(-1500)}` })
    }
    return faults
  }

  async #replay(
    mutants: ReadonlyMap<string, Uint8Array>,
    seconds: number,
  ): Promise<{ run: WatchedProcess; outcome: (name: string) => Outcome | undefined }> {
    const { path: cwd } = this.#project
    const folder = path.join(cwd, 'golden-traces')
    const report = path.join(cwd, 'report.json')
    for (const place of [folder, report]) rmSync(place, { recursive: true, force: true })
    mkdirSync(folder)
    for (const [name, bytes] of mutants) writeFileSync(path.join(folder, `${name}.jsonl`), bytes)
    const { program, args, env, outcomes } = this.#runner
    const run = await watchProcess(process.execPath, [path.join(cwd, 'node_modules', program), ...args([...mutants.keys()], report)], {
      cwd,
      env: { ...process.env, NO_COLOR: '1', CI: '', ...env },
      seconds,
    })
    const found = read(() => outcomes(report, run.stdout))
    return { run, outcome: (name) => found?.get(name) }
  }
}

/** Returns what is wrong with a start as a whole. */
function faultOf({ hang, signal, status, megabytes, output }: WatchedProcess): string | undefined {
  if (hang !== undefined) return hang
  if (signal !== null || ![0, 1, 2].includes(status ?? -1)) return `ended with ${signal ?? status}`
  if (megabytes > MOST_MEGABYTES) return `took ${Math.round(megabytes)} MB`
  return /Unhandled (?:Error|Rejection)|heap out of memory/.exec(output)?.[0]
}

/** Returns what a golden came to; undefined for anything but a verdict and an error that names the golden's file. */
function kindOf(name: string, message: string): 'verdict' | 'named' | undefined {
  if (message === '' || /^(?:Error: )?(?:Failed to replay|The golden|diverged)/.test(message)) return 'verdict'
  return message.split('\n')[0]?.includes(`${name}.jsonl`) === true ? 'named' : undefined
}

function halves(mutants: ReadonlyMap<string, Uint8Array>): [Map<string, Uint8Array>, Map<string, Uint8Array>] {
  const all = [...mutants]
  const middle = all.length >>> 1
  return [new Map(all.slice(0, middle)), new Map(all.slice(middle))]
}

/** A runner that died wrote no report, or half of one. */
function read<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

interface TestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly { readonly failureMessages: readonly string[]; readonly duration?: number | null }[]
  }[]
}

/** The report of Vitest and Jest: a file for each golden. */
function ofTests(report: string): ReadonlyMap<string, Outcome> {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as TestReport
  return new Map(
    testResults.map(({ name, message, assertionResults }) => {
      const [test] = assertionResults
      const outcome: Outcome = {
        message: test === undefined ? `no test: ${message}` : (test.failureMessages[0] ?? ''),
        milliseconds: test?.duration ?? 0,
      }
      return [path.basename(name, '.jsonl'), outcome] as const
    }),
  )
}

interface CommandReport {
  readonly traces: readonly { readonly file?: string; readonly name: string; readonly status: string; readonly message?: string }[]
}

/** The `--json` of `goldenrun replay`. */
function ofCommand(_: string, stdout: string): ReadonlyMap<string, Outcome> {
  const { traces } = JSON.parse(stdout) as CommandReport
  return new Map(
    traces.map(({ file, name, status, message = '' }) => {
      const said = status === 'held' ? '' : status === 'could not run' ? message : `diverged: ${status}`
      return [path.basename(file ?? name, '.jsonl'), { message: said, milliseconds: 0 }] as const
    }),
  )
}

/** The runners, by name. */
export const runners: Readonly<Record<'command' | 'vitest' | 'jest', Runner>> = {
  command: {
    program: 'goldenrun/dist/cli.js',
    args: (names) => ['replay', '--json', ...names.map((name) => `golden-traces/${name}.jsonl`)],
    together: 250,
    secondsEach: 0.1,
    outcomes: ofCommand,
  },
  // Files share a process, which starts once. In a process each, a golden takes six times as long.
  vitest: {
    program: 'vitest/vitest.mjs',
    args: (_, report) => ['run', '--no-isolate', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    together: 500,
    secondsEach: 0.2,
    outcomes: ofTests,
  },
  jest: {
    program: 'jest/bin/jest.js',
    args: (_, report) => ['--maxWorkers=2', '--json', `--outputFile=${report}`],
    together: 250,
    secondsEach: 0.6,
    env: { NODE_OPTIONS: '--experimental-vm-modules --no-warnings' },
    outcomes: ofTests,
  },
}
