import { isUrlName } from '../named-urls.ts'
import { GoldenrunError } from './goldenrun-error.ts'

/** Thrown for an unknown option, or one of the wrong type. */
export class OptionsError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_OPTIONS'

  /** The function that was called. */
  readonly caller: string
  readonly option: string
  /** The problem, as worded in the message. */
  readonly problem: string

  constructor(caller: string, option: string, problem: string) {
    super(OptionsError.code, `${caller}: the option "${option}" ${problem}`)
    this.name = 'OptionsError'
    this.caller = caller
    this.option = option
    this.problem = problem
  }
}

/**
 * Returns a function that throws an OptionsError for an option that contains fields. @throws OptionsError for the first field that is not among
 * `known`.
 */
export function checkOptionFields(caller: string, option: string, fields: object, known: readonly string[]): (problem: string) => never {
  const fail = (problem: string): never => {
    throw new OptionsError(caller, option, problem)
  }
  for (const name of Object.keys(fields)) if (!known.includes(name)) fail(`takes ${known.join(', ')}, not "${name}".`)
  return fail
}

/** @throws OptionsError for the first option that is not among `known`. */
export function checkKnownOptions(caller: string, options: object, known: readonly string[]): void {
  for (const option of Object.keys(options)) {
    if (!known.includes(option)) throw new OptionsError(caller, option, `is not known. It takes: ${known.join(', ')}.`)
  }
}

/** @throws OptionsError for a value that is not among `known`. */
export function checkOneOf(caller: string, option: string, value: string, known: readonly string[]): void {
  if (known.includes(value)) return
  const list = known.map((name) => JSON.stringify(name)).join(' or ')
  throw new OptionsError(caller, option, `has to be ${list}, got ${JSON.stringify(value)}.`)
}

/** @throws OptionsError for a value that is not a list of hosts and URLs. */
export function checkNamedUrls(caller: string, options: Readonly<Partial<Record<'mute' | 'record', readonly string[]>>>): void {
  for (const option of ['mute', 'record'] as const) {
    for (const name of options[option] ?? []) {
      if (isUrlName(name) ? URL.canParse(name) : URL.canParse(`http://${name}`) && !/[/?#@]/.test(name)) continue
      const problem = `takes hosts ('telemetry.example') and URLs ('https://api.example/v1/track'), got ${JSON.stringify(name)}.`
      throw new OptionsError(caller, option, problem)
    }
  }
}
