import { printableLines } from '../printable.ts'

const marker = Symbol.for('goldenrun.error')

/**
 * The base of every error that goldenrun throws. `code` is stable across releases, the message is for people: it says what happened, where,
 * and what to do. Names that it quotes may be anybody's: what would drive a terminal is escaped.
 */
export class GoldenrunError extends Error {
  /** Starts with `GOLDENRUN_`. */
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(printableLines(message), options)
    this.name = 'GoldenrunError'
    this.code = code
    Object.defineProperty(this, marker, { value: true })
  }

  /** Whether `error` is one of goldenrun's, also when it comes from another copy of the package or another realm (Jest's sandbox). */
  static isInstance(error: unknown): error is GoldenrunError {
    return typeof error === 'object' && error !== null && Reflect.get(error, marker) === true
  }
}
