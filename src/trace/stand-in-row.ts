/**
 * A stand-in that redaction put in place of a value, before the first row that has it. The first one has number 1, the next one 2. Since format 3;
 * the stand-ins of older formats are known by their shape.
 */
export interface StandInRow {
  readonly kind: 'stand-in'
  /** What it stands for. `account`: a secret that is written in groups. */
  readonly of: 'email' | 'card' | 'phone' | 'account' | 'secret'
  /** Without escapes; a number without its gaps, a phone number without its calling code. */
  readonly text: string
  /** The names of the environment variables that had the value. Absent if none had. */
  readonly variables?: readonly string[]
}
