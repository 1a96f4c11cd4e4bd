import type { ModelDrift } from '../../replay/contract/replay-options.ts'
import type { ReplayOutput } from '../replay-output.ts'
import type { SelectedTrace } from '../select-traces.ts'
import type { Terminal } from '../terminal.ts'
import { type PastJob, runAt } from './run-apart.ts'

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
  return await runAt(ref, selected, toReplayJob(options, terminal), terminal)
}

/** A replay as the job of a process. */
export function toReplayJob({ install, ...options }: ReplayPastOptions, { colors, width }: Pick<Terminal, 'colors' | 'width'>): PastJob {
  return { job: 'replay', install, options: { ...options, color: colors.isColorSupported, width } satisfies ReplayApartOptions }
}
