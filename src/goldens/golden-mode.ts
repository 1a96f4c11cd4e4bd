import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'

/** What a run of the tests does with goldens: replays them, or runs their agents live and promotes what they did. */
export type GoldenMode = 'replay' | 'record'

/**
 * The mode that the environment variable `GOLDENRUN` asks for; `replay` where it is not set.
 *
 * @throws GoldenrunError `GOLDENRUN_MODE` for any other word, and for `record` in CI, where nothing is written.
 */
export function readGoldenMode(): GoldenMode {
  const mode = process.env['GOLDENRUN'] ?? ''
  if (mode === '' || mode === 'replay') return 'replay'
  if (mode !== 'record') {
    throw new GoldenrunError('GOLDENRUN_MODE', `GOLDENRUN is ${JSON.stringify(mode)}, and has to be "replay", the default, or "record".`)
  }
  if (isCI()) {
    throw new GoldenrunError(
      'GOLDENRUN_MODE',
      'GOLDENRUN=record writes goldens, and nothing is written in CI (CI is set). Record them on your machine.',
    )
  }
  return mode
}

/** Whether this is continuous integration, as its services say: by the environment variable `CI`. */
export function isCI(): boolean {
  const flag = process.env['CI'] ?? ''
  return flag !== '' && flag !== 'false' && flag !== '0'
}
