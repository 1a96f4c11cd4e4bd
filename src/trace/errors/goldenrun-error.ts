import { printable, printableLines } from '../printable.ts'

const marker = Symbol.for('goldenrun.error')

/**
 * The base class of every error that goldenrun throws. `code` is stable across releases. The message is for people: it says what happened, where, and
 * what to do. Names that it quotes are untrusted, so terminal control sequences are escaped.
 */
export class GoldenrunError extends Error {
  /** The code of a class's errors; if it ends with an underscore, the start of their codes. Empty for any code. */
  static readonly code: string = ''

  /** Starts with `GOLDENRUN_`. */
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(printableLines(message), options)
    this.name = 'GoldenrunError'
    this.code = code
    Object.defineProperty(this, marker, { value: true })
  }

  /** Returns its fields, which a test runner prints below the message, with texts that are safe to print. */
  toJSON(): Readonly<Record<string, unknown>> {
    return Object.fromEntries(Object.entries(this).map(([name, field]) => [name, safe(field)]))
  }

  /** Returns whether `error` is of this class, even if it comes from another copy of the package or another realm (Jest's sandbox). */
  static isInstance<Kind extends GoldenrunError>(this: ErrorClass<Kind>, error: unknown): error is Kind {
    if (typeof error !== 'object' || error === null || Reflect.get(error, marker) !== true) return false
    const code = String(Reflect.get(error, 'code'))
    return /^$|_$/.test(this.code) ? code.startsWith(this.code) : code === this.code
  }
}

function safe(field: unknown): unknown {
  if (Array.isArray(field)) return field.map(safe)
  return typeof field === 'string' ? printable(field) : field
}

interface ErrorClass<Kind> {
  readonly code: string
  readonly prototype: Kind
}
