import type { PathKey } from '../trace/json.ts'
import type { TextRedactor } from './growing-redaction.ts'
import type { TakenSecrets } from './repeated-secrets.ts'
import type { RuleSet } from './rule-set.ts'
import type { Shape } from './stand-in.ts'

/** Takes secrets out of what is written down. One for each run: its stand-ins are numbered within the trace. */
export interface Redactor extends TextRedactor {
  /** How many stand-ins it has given out. */
  readonly standIns: number
  /** Rises when more is known to be secret: what was redacted before may have to be redacted again. */
  readonly secrets: number
  text(text: string): string
  /**
   * The value, in recorded form, with every string in it redacted, keys included; the value itself where nothing had to be.
   *
   * @param at The names and indexes that lead to it. Default: none.
   */
  value<Value>(value: Value, at?: readonly PathKey[]): Value
  /** The same, with what was taken out of its texts. */
  takeFrom(value: unknown): { readonly value: unknown; readonly taken: TakenSecrets }
  /** From now on a text is secret wherever it comes up. */
  know(secret: string): void
  /** Bytes with what they hold as text redacted. */
  bytes(bytes: Uint8Array): Uint8Array
  /** What the trace keeps of random bytes that the run drew. */
  draw(bytes: Uint8Array): Uint8Array
}

/** What a redactor is told beside its rules. */
export interface RedactorOptions {
  readonly ruleSet?: RuleSet
  /** The number before the first stand-in's, asked for when it is needed. Default: 0. */
  readonly numbersFrom?: () => number
  /** A rule of the user's threw. */
  readonly onFailure?: (rule: string) => void
  /**
   * Told of every stand-in and what it stands for, each as it is written there, and whether a person may see that again: credentials never.
   * A recorder asks only if it keeps secrets.
   */
  readonly onStandIn?: (standIn: string, secret: string, shape: Shape, isRevealable: boolean) => void
}
