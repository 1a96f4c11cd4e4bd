/** What a reader may answer, by the declared cause. The words are those of `question.md`. */
export const KINDS: Readonly<Record<string, string>> = {
  input: 'changed',
  'model-drift': 'changed',
  'missing-call': 'missing',
  'unexpected-call': 'extra',
  order: 'order',
  'time-limit': 'limit',
  checkpoint: 'result',
  outcome: 'result',
}

/** The reports of each kind that readers get. */
export const PER_KIND = 20

/** A report that readers get, and what is right. Nobody who reads it sees this. */
export interface Keyed {
  /** `001`, the name of the report's file. */
  readonly report: string
  readonly subject: string
  readonly mutation: string
  readonly scene: string
  readonly kind: string
  /** The declared step, from 1; 0 means before the first. */
  readonly step: number
  /** The lines that may be named: `desk.ts:41`. Empty where the report is about a result, which no line makes. */
  readonly lines: readonly string[]
}

/** What a reader said about a report. */
export interface Answer {
  readonly report: string
  readonly kind: string
  readonly step: number
  /** `desk.ts:41`, or `none`. */
  readonly line: string
}
