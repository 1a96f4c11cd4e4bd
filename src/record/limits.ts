import { OptionsError } from '../trace/errors/options-error.ts'

/**
 * The resources of a process that recording may use. A run that exceeds a limit is cut: its recording ends there with a note, and the run itself
 * continues.
 */
export interface RecorderLimits {
  /** How many bytes of all runs together may wait to be written. The run that would exceed this is cut. Default: 67108864 (64 MiB). */
  readonly memoryBytes?: number
  /** How many steps of one run are kept. Default: 10000. */
  readonly runSteps?: number
  /** How many bytes of HTTP bodies of one run are kept. Default: 2147483648 (2 GiB). */
  readonly runBytes?: number
  /** For how many milliseconds a run is recorded. Default: 86400000 (a day). */
  readonly runMilliseconds?: number
  /**
   * For how many milliseconds the call of a declared side effect waits for its row to be written when the store has no journal (on a network file
   * system). After that the call goes out anyway, with a note. Default: 5.
   */
  readonly sideEffectMilliseconds?: number
  /** For how many milliseconds a settled run is watched for work that it left behind: timers, and calls that nobody awaited. Default: 60000 (a minute). */
  readonly lateMilliseconds?: number
  /** How many settled runs are watched at once. Beyond that, the run that settled first is no longer watched. Default: 1000. */
  readonly lateRuns?: number
  /** How many bytes of the work that one run left behind are kept. The call that exceeds this is noted. Default: 4194304 (4 MiB). */
  readonly lateBytes?: number
  /** For how many milliseconds `close` and `flush` wait for each 16 MiB, or part of it, that is not written yet. Default: 5000. */
  readonly closeMilliseconds?: number
}

/** The number of bytes that a slow disk writes in `closeMilliseconds`. */
const BYTES_IN_TIME = 16_777_216

/** Returns how many milliseconds to wait for `bytes` that are not written yet. */
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

/** @throws OptionsError for an unknown limit, and for a value that is not a number of at least 0. */
export function checkLimits(caller: string, limits: RecorderLimits = {}): Required<RecorderLimits> {
  for (const [name, value] of Object.entries(limits)) {
    if (!(name in defaults)) throw new OptionsError(caller, 'limits', `takes ${Object.keys(defaults).join(', ')}, not "${name}".`)
    if (typeof value === 'number' && value >= 0) continue
    throw new OptionsError(caller, 'limits', `has to have a number of at least 0 as "${name}", got ${JSON.stringify(value)}.`)
  }
  return { ...defaults, ...limits }
}
