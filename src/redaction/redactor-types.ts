import type { PathKey } from '../trace/json.ts'
import type { TextRedactor } from './growing-redaction.ts'
import type { TakenSecrets } from './repeated-secrets.ts'
import type { RuleSet } from './rule-set.ts'
import type { Shape, StandIns } from './stand-in.ts'

/** Removes secrets from the data that is written. One per run: its stand-ins are numbered within the trace. */
export interface Redactor extends TextRedactor {
  /** The stand-ins of its trace, and those that it has made. */
  readonly standIns: StandIns
  /** Increases when more secrets become known: data redacted earlier may have to be redacted again. */
  readonly secrets: number
  /** @param field The name of the field whose value the text is. Default: it is not a field's. */
  text(text: string, field?: string): string
  /**
   * Returns the value, in recorded form, with every string in it redacted, including keys; the same value if there is nothing to redact.
   *
   * @param at The names and indexes that lead to it. Default: none.
   */
  value<Value>(value: Value, at?: readonly PathKey[]): Value
  /** Like `value`, and also returns the secrets taken out of its texts. */
  takeFrom(value: unknown): { readonly value: unknown; readonly taken: TakenSecrets }
  /** Returns the stand-in for a credential; if it contains other secrets, the text with those redacted. */
  credential(secret: string): string
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
  /** The stand-ins of the trace. Default: none yet, and more are listed. */
  readonly standIns?: StandIns
  /** Called when a rule of the user's throws. */
  readonly onFailure?: (rule: string) => void
  /**
   * Called with every stand-in, its secret, both as written there, and whether a person may see the secret again (credentials: never). Set by a
   * recorder only if it keeps secrets.
   */
  readonly onStandIn?: (standIn: string, secret: string, shape: Shape, isRevealable: boolean) => void
}
