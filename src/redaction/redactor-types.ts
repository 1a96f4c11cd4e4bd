import type { PathKey } from '../trace/json.ts'
import type { TextRedactor } from './growing-redaction.ts'
import type { TakenSecrets } from './repeated-secrets.ts'
import type { RuleSet } from './rule-set.ts'
import type { Shape } from './stand-in.ts'

/** Removes secrets from the data that is written. One per run: its stand-ins are numbered within the trace. */
export interface Redactor extends TextRedactor {
  /** The number of stand-ins that it has issued. */
  readonly standIns: number
  /** Increases when more secrets become known: data redacted earlier may have to be redacted again. */
  readonly secrets: number
  text(text: string): string
  /**
   * Returns the value, in recorded form, with every string in it redacted, including keys; the same value if there is nothing to redact.
   *
   * @param at The names and indexes that lead to it. Default: none.
   */
  value<Value>(value: Value, at?: readonly PathKey[]): Value
  /** Like `value`, and also returns the secrets taken out of its texts. */
  takeFrom(value: unknown): { readonly value: unknown; readonly taken: TakenSecrets }
  /** Treats a text as secret from now on, wherever it occurs. */
  know(secret: string): void
  /** Returns bytes with the text in them redacted. */
  bytes(bytes: Uint8Array): Uint8Array
  /** Returns random bytes that the run drew as the trace keeps them. */
  draw(bytes: Uint8Array): Uint8Array
}

/** The options of a redactor, in addition to its rules. */
export interface RedactorOptions {
  readonly ruleSet?: RuleSet
  /** Returns the number before the first stand-in's, called when it is needed. Default: 0. */
  readonly numbersFrom?: () => number
  /** Called when a rule of the user's throws. */
  readonly onFailure?: (rule: string) => void
  /**
   * Called with every stand-in, its secret, both as written there, and whether a person may see the secret again (credentials: never). Set by a
   * recorder only if it keeps secrets.
   */
  readonly onStandIn?: (standIn: string, secret: string, shape: Shape, isRevealable: boolean) => void
}
