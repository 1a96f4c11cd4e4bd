import { OptionsError } from '../../trace/errors/options-error.ts'

/** Options of a replay that only turn out to be wrong when they are used. */
export class MisusedOptions {
  /** The first of them: the replay rejects with it once it is over. */
  failure: OptionsError | undefined
  readonly #caller: string

  constructor(caller: string) {
    this.#caller = caller
  }

  add(option: string, problem: string): OptionsError {
    const error = new OptionsError(this.#caller, option, problem)
    this.failure ??= error
    return error
  }
}
