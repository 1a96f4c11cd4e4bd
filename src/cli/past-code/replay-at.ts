import path from 'node:path'
import type { ModelDrift } from '../../replay/contract/replay-options.ts'
import type { ReplayOutput } from '../replay-output.ts'
import type { SelectedTrace } from '../select-traces.ts'
import type { Terminal } from '../terminal.ts'
import { type Commit, findCommit, findRepository } from './commits.ts'
import { type PastCode, withPastCode } from './past-code.ts'
import { type CurrentTrace, prepareApart, readCurrent, type RunApart } from './run-apart.ts'

/** What the process of a replay is asked for. */
export interface ReplayApartOptions {
  readonly onDivergence: 'stop' | 'continue'
  readonly allowModelDrift: readonly ModelDrift[]
  /** The terminal that the output is for. */
  readonly color: boolean
  readonly width: number
}

/** How traces are replayed with past code. */
export interface ReplayPastOptions extends Pick<ReplayApartOptions, 'onDivergence' | 'allowModelDrift'> {
  /** Whether the packages of a commit with a different lock file are installed. */
  readonly install: boolean
}

/**
 * Replays traces of the current tree with the code of a commit.
 *
 * @throws GoldenrunError `GOLDENRUN_PAST_CODE` if the commit cannot be found, or set up.
 */
export async function replayAt(
  ref: string,
  selected: readonly SelectedTrace[],
  options: ReplayPastOptions,
  terminal: Terminal,
): Promise<ReplayOutput> {
  const commit = findCommit(findRepository(process.cwd()), ref)
  const traces = await readCurrent(selected)
  return await withReplays(commit, traces, options, terminal, async ({ past, replay }) => {
    terminal.status(`Replaying at ${ref}`)
    try {
      await past.enter(commit, ref)
      return await replay(ref)
    } finally {
      terminal.status('')
    }
  })
}

/** A worktree, and the replay in it. */
export interface PastReplays {
  readonly past: PastCode
  readonly replay: RunApart<ReplayOutput>
}

/** Makes a worktree in which traces can be replayed. */
export async function withReplays<Result>(
  first: Commit,
  traces: readonly CurrentTrace[],
  { install, ...options }: ReplayPastOptions,
  terminal: Terminal,
  use: (replays: PastReplays) => Promise<Result>,
): Promise<Result> {
  const directories = traces.flatMap(({ found }) => (found === undefined ? [] : [path.dirname(path.resolve(found.file))]))
  return await withPastCode(
    first,
    { directories, differingLock: install ? 'install' : 'refuse', onNote: (note) => terminal.printError(note) },
    async (past) => {
      const prepare = prepareApart<ReplayOutput>(past, traces, 'replay')
      const request: ReplayApartOptions = { ...options, color: terminal.colors.isColorSupported, width: terminal.width }
      return await use({ past, replay: prepare(request) })
    },
  )
}
