import type { CallSite } from '../../run/call-site.ts'
import { describeCall, describeResult } from '../describe-call.ts'
import type { Cause, Divergence, FieldDifference, InputPart } from '../divergence.ts'
import { cutText, printValue } from '../print-value.ts'
import type { DrawnValue } from '../drawn-value.ts'
import type { TrustedStandIn } from '../stand-in-places.ts'
import { describeDivergence } from './cause-words.ts'
import { type Excerpt, excerptsOf } from './excerpts.ts'
import type { Advice, NearestCall, Report, ReportedStep, Subject } from './report.ts'

/** A report as JSON. Its schema is published as `docs/report.schema.json`. */
export interface JsonReport {
  /** The version of this format. */
  readonly format: 1
  readonly trace: Subject
  readonly headline: string
  readonly explanation: string
  /** Absent where nothing diverged. */
  readonly divergence?: JsonDivergence
  /** The message of the incident check that the run did not pass. */
  readonly message?: string
  readonly steps: readonly JsonStep[]
  readonly consequences: readonly JsonConsequence[]
  /** Drift since the recording, options that match nothing, and values compared only as stand-ins: a sentence each. */
  readonly notes: readonly string[]
  /** Values that were compared only as stand-ins. */
  readonly standIns?: readonly TrustedStandIn[]
  readonly drawn?: readonly DrawnValue[]
  readonly advice: readonly Advice[]
  /** Other traces that differ in the same way. */
  readonly alsoIn?: readonly string[]
}

/** Where a run differs, and how. */
export interface JsonDivergence {
  readonly cause: Cause
  /** The recorded step at or after which it differs; 0 for before the first. */
  readonly step: number
  readonly position: 'at' | 'after'
  readonly boundary?: string
  /** The name of the call or of the checkpoint. */
  readonly name?: string
  readonly parts: readonly InputPart[]
  readonly differences: readonly JsonDifference[]
  /** The trace's value and the run's value, one line each. */
  readonly expected?: string
  readonly received?: string
  /** For `order`: the step that should have come before. */
  readonly before?: number
  readonly nearest: readonly NearestCall[]
  readonly site?: CallSite
  /** For `nondeterminism`: what only one of the replays called. */
  readonly processState?: string
  readonly heldBefore?: true
}

/** A field that differs. Absent values are omitted; values of more than 4000 characters are cut and given as text. */
export interface JsonDifference {
  readonly path: string
  readonly part?: InputPart
  readonly expected?: unknown
  readonly received?: unknown
  /** Replaces two long texts: the places where they differ. */
  readonly changes?: readonly { readonly expected: Excerpt; readonly received: Excerpt }[]
  /** How many more places there are. */
  readonly moreChanges?: number
  /** Both values come from the clock or a random source. */
  readonly drawn?: true
}

/** A step leading up to the divergence. */
export interface JsonStep {
  /** Absent if the trace does not have it. */
  readonly step?: number
  readonly boundary: string
  readonly call: string
  readonly result?: string
  /** Whether it is the step that diverged. */
  readonly diverged: boolean
}

/** What follows from the divergence. */
export interface JsonConsequence {
  readonly cause: Cause
  readonly step: number
  readonly position: 'at' | 'after'
  readonly summary: string
}

/** A longer text is shown by its differences only. */
const longText = 200

/** A longer value is cut. */
const longest = 4000

/** A longer line is cut. */
const longestLine = 500

/** A report for programs. */
export function toJsonReport(report: Report, alsoIn: readonly string[] = []): JsonReport {
  const { subject, headline, explanation, divergence, steps, consequences, notes, standIns, drawn, advice } = report
  const message = report.facts.find((fact) => fact.kind === 'message')?.text
  return {
    format: 1,
    trace: subject,
    headline,
    explanation,
    ...(divergence === undefined ? {} : { divergence: toJsonDivergence(divergence, report) }),
    ...(message === undefined ? {} : { message }),
    steps: steps.map(toJsonStep),
    consequences: consequences.map((each) => {
      const { cause, step, position } = each
      return { cause, step, position, summary: describeDivergence(each) }
    }),
    notes,
    ...(standIns === undefined ? {} : { standIns }),
    ...(drawn === undefined ? {} : { drawn }),
    advice,
    ...(alsoIn.length === 0 ? {} : { alsoIn }),
  }
}

function toJsonDivergence(divergence: Divergence, { facts }: Report): JsonDivergence {
  const { cause, step, position, boundary, name, parts, differences, before, site, processState, heldBefore } = divergence
  const lines = facts.find((fact) => fact.kind === 'lines')
  return {
    cause,
    step,
    position,
    ...(boundary === undefined ? {} : { boundary }),
    ...(name === undefined ? {} : { name }),
    parts,
    differences: differences.map(toJsonDifference),
    ...(lines?.expected === undefined ? {} : { expected: cutText(lines.expected, longestLine) }),
    ...(lines === undefined ? {} : { received: cutText(lines.received, longestLine) }),
    ...(before === undefined ? {} : { before }),
    nearest: facts.flatMap((fact) => (fact.kind === 'nearest' ? fact.calls : [])),
    ...(site === undefined ? {} : { site }),
    ...(processState === undefined ? {} : { processState }),
    ...(heldBefore && { heldBefore }),
  }
}

function toJsonDifference({ path, part, expected, received, drawn }: FieldDifference): JsonDifference {
  const place = { path, ...(part === undefined ? {} : { part }), ...(drawn && { drawn }) }
  if (typeof expected === 'string' && typeof received === 'string' && Math.max(expected.length, received.length) > longText) {
    const { pairs, more } = excerptsOf(expected, received, longText)
    return { ...place, changes: pairs, ...(more > 0 && { moreChanges: more }) }
  }
  return {
    ...place,
    ...(expected === undefined ? {} : { expected: toJson(expected) }),
    ...(received === undefined ? {} : { received: toJson(received) }),
  }
}

function toJson(value: unknown): unknown {
  return (JSON.stringify(value) ?? '').length > longest ? printValue(value, longest) : value
}

function toJsonStep({ isMarked, step, instead }: ReportedStep): JsonStep {
  if (step === undefined) return { boundary: instead?.what ?? '', call: cutText(instead?.call ?? '', longestLine), diverged: isMarked }
  const { boundary, name, input } = step
  return {
    step: step.step,
    boundary,
    call: describeCall(boundary, name, input, longestLine),
    result: describeResult(step, longestLine),
    diverged: isMarked,
  }
}
