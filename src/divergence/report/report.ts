import type { CallSite } from '../../run/call-site.ts'
import type { Step } from '../../trace/trace.ts'
import type { Divergence, FieldDifference } from '../divergence.ts'
import type { DrawnValue } from '../drawn-value.ts'
import type { TrustedStandIn } from '../stand-in-places.ts'
import type { AdviceId } from './advice-ids.ts'

/** The contents of a report, independent of its output format. */
export interface Report {
  readonly subject: Subject
  /** What does not hold, in a sentence. */
  readonly headline: string
  /** The steps before the divergence, and the diverging step, marked. */
  readonly steps: readonly ReportedStep[]
  /** What happened, in a sentence. */
  readonly explanation: string
  /** What differs, in the order in which it is printed. */
  readonly facts: readonly Fact[]
  /** The reported divergence. Absent if nothing diverged, for example if an incident is repeated. */
  readonly divergence?: Divergence
  /** The consequences, the earliest first. */
  readonly consequences: readonly Divergence[]
  /** What else the reader has to know, one sentence each. */
  readonly notes: readonly string[]
  /** Values that were compared only as stand-ins. Default: none. */
  readonly standIns?: readonly TrustedStandIn[]
  /** Values that were matched only by the order of their reads from the clock and random sources. Default: none. */
  readonly drawn?: readonly DrawnValue[]
  /** What to do. */
  readonly advice: readonly Advice[]
  /** The names of the two sides. Default: expected and received. */
  readonly labels?: Labels
}

/** The names of the two sides of a difference. */
export interface Labels {
  readonly expected: string
  readonly received: string
}

/** The trace that a report is about. */
export interface Subject {
  /** A golden's name, or the id of a recording. */
  readonly name: string
  readonly agent: string
  readonly description?: string
  readonly expectedOutcome?: string
}

/** A line of the steps. */
export interface ReportedStep {
  readonly isMarked: boolean
  /** The recorded step; absent for a line that the trace does not have. */
  readonly step?: Step
  /** Replaces a step that the trace does not have: the boundary or another word, and the call. */
  readonly instead?: { readonly what: string; readonly call: string }
}

/** A difference, or a fact that helps to explain it. */
export type Fact =
  /** Two values, one line each; `expected` is absent if the trace has no counterpart. */
  | { readonly kind: 'lines'; readonly expected?: string; readonly received: string }
  | { readonly kind: 'fields'; readonly differences: readonly FieldDifference[] }
  | { readonly kind: 'nearest'; readonly calls: readonly NearestCall[] }
  | { readonly kind: 'site'; readonly site: CallSite }
  /** The message of a matcher. */
  | { readonly kind: 'message'; readonly text: string }

/** A recorded call that is similar to one that the trace does not have. */
export interface NearestCall {
  readonly step: number
  readonly call: string
  /** How similar it is: `differs in args.id`. */
  readonly remark: string
}

/** What to do, in words, with an optional line to copy. */
export interface Advice {
  readonly id: AdviceId
  readonly words: string
  readonly command?: string
}
