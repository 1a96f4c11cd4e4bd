import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'

/** Whether a test run replays goldens, or runs their agents live and promotes those runs. */
export type GoldenMode = 'replay' | 'record'

/**
 * Reads the mode from the environment variable `GOLDENRUN`; `replay` if it is not set.
 *
 * @throws GoldenrunError `GOLDENRUN_MODE` for any other value, and for `record` in CI, where nothing is written.
 */
export function readGoldenMode(): GoldenMode {
  const mode = process.env['GOLDENRUN'] ?? ''
  if (mode === '' || mode === 'replay') return 'replay'
  if (mode !== 'record') {
    throw new GoldenrunError('GOLDENRUN_MODE', `GOLDENRUN is ${JSON.stringify(mode)}, but has to be "replay" (the default) or "record".`)
  }
  if (isCI()) {
    throw new GoldenrunError(
      'GOLDENRUN_MODE',
      'GOLDENRUN=record writes goldens, which is not allowed in CI (CI is set). Record them on your machine.',
    )
  }
  return mode
}

/** Returns whether this is continuous integration, by the environment variable `CI`. */
export function isCI(): boolean {
  const flag = process.env['CI'] ?? ''
  return flag !== '' && flag !== 'false' && flag !== '0'
}

/** Passes the start of a test run with `GOLDENRUN=record` to the processes of its test files. */
const VARIABLE = 'GOLDENRUN_RECORDING_SINCE'

/** Stores now as the start of the test run. */
export function beginRecording(): void {
  process.env[VARIABLE] = String(Date.now())
}

/** Returns when the test run began, in milliseconds; without a reporter or plugin, when this process began. */
export function recordingSince(): number {
  return Number(process.env[VARIABLE] ?? performance.timeOrigin)
}
