import { OptionsError } from '../trace/errors/options-error.ts'

/** What recording may take of a process. A run that goes beyond is cut: its recording ends there with a note, the run itself goes on. */
export interface RecorderLimits {
  /** How many bytes of all runs together may wait to be written. The run that would go beyond is cut. Default: 67108864 (64 MiB). */
  readonly memoryBytes?: number
  /** How many steps of one run are kept. Default: 10000. */
  readonly runSteps?: number
  /** How many bytes of HTTP bodies of one run are kept. Default: 2147483648 (2 GiB). */
  readonly runBytes?: number
  /** For how many milliseconds a run is recorded. Default: 86400000 (a day). */
  readonly runMilliseconds?: number
  /**
   * For how many milliseconds the call of a declared side effect waits until its row is written, where the store has no journal (on a network file
   * system); then it goes out all the same, and a note says so. Default: 5.
   */
  readonly sideEffectMilliseconds?: number
  /**
   * For how many milliseconds after a run has settled it is watched for what it left behind: timers, calls that nobody awaited. Default: 60000
   * (a minute).
   */
  readonly lateMilliseconds?: number
  /** How many runs that have settled are watched at once; beyond, the one that settled first no longer is. Default: 1000. */
  readonly lateRuns?: number
  /** How many bytes of what one run left behind are kept; the call that goes beyond is noted. Default: 4194304 (4 MiB). */
  readonly lateBytes?: number
  /** For how many milliseconds `close` and `flush` wait for each 16 MiB, or part of them, that is not written yet. Default: 5000. */
  readonly closeMilliseconds?: number
}

/** So many bytes are written in `closeMilliseconds` on a slow disk. */
const BYTES_IN_TIME = 16_777_216

/** For how many milliseconds is waited for so many bytes that are not written yet. */
export function waitFor(bytes: number, { closeMilliseconds }: Pick<Required<RecorderLimits>, 'closeMilliseconds'>): number {
  return closeMilliseconds * Math.max(1, Math.ceil(bytes / BYTES_IN_TIME))
}

const defaults: Required<RecorderLimits> = {
  memoryBytes: 67_108_864,
  runSteps: 10_000,
  runBytes: 2_147_483_648,
  runMilliseconds: 86_400_000,
  sideEffectMilliseconds: 5,
  lateMilliseconds: 60_000,
  lateRuns: 1_000,
  lateBytes: 4_194_304,
  closeMilliseconds: 5_000,
}

/** @throws OptionsError for a limit that it does not know, and for what is no number of at least 0. */
export function checkLimits(caller: string, limits: RecorderLimits = {}): Required<RecorderLimits> {
  for (const [name, value] of Object.entries(limits)) {
    if (!(name in defaults)) throw new OptionsError(caller, 'limits', `takes ${Object.keys(defaults).join(', ')}, not "${name}".`)
    if (typeof value === 'number' && value >= 0) continue
    throw new OptionsError(caller, 'limits', `has to give a number of at least 0 for ${name}, not ${JSON.stringify(value)}.`)
  }
  return { ...defaults, ...limits }
}
