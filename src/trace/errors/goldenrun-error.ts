import { printableLines } from '../printable.ts'

const marker = Symbol.for('goldenrun.error')

/**
 * The base of every error that goldenrun throws. `code` is stable across releases, the message is for people: it says what happened, where,
 * and what to do. Names that it quotes may be anybody's: what would drive a terminal is escaped.
 */
export class GoldenrunError extends Error {
  /** The code of a class's errors; with an underscore at its end, the start of their codes. Empty for any code. */
  static readonly code: string = ''

  /** Starts with `GOLDENRUN_`. */
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(printableLines(message), options)
    this.name = 'GoldenrunError'
    this.code = code
    Object.defineProperty(this, marker, { value: true })
  }

  /** Whether `error` is of this class, also when it comes from another copy of the package or another realm (Jest's sandbox). */
  static isInstance<Kind extends GoldenrunError>(this: ErrorClass<Kind>, error: unknown): error is Kind {
    if (typeof error !== 'object' || error === null || Reflect.get(error, marker) !== true) return false
    const code = String(Reflect.get(error, 'code'))
    return /^$|_$/.test(this.code) ? code.startsWith(this.code) : code === this.code
  }
}

interface ErrorClass<Kind> {
  readonly code: string
  readonly prototype: Kind
}
