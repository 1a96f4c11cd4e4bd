import { OptionsError } from '../../trace/errors/options-error.ts'

/** Errors in options that only show when the options are used. */
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
