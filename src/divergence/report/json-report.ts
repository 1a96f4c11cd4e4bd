import { omitUndefined } from '../../trace/json.ts'
import { describeCall, describeResult } from '../describe-call.ts'
import type { Divergence, FieldDifference } from '../divergence.ts'
import { cutText, printValue } from '../print-value.ts'
import { describeDivergence } from './cause-words.ts'
import { type Excerpts, excerptsOf } from './excerpts.ts'
import type { NearestCall, Report, ReportedStep, Subject } from './report.ts'

/** A report as JSON. Its schema is published as `docs/report.schema.json`. */
export interface JsonReport extends Pick<Report, 'headline' | 'explanation' | 'notes' | 'standIns' | 'drawn' | 'advice'> {
  /** The version of this format. */
  readonly format: 1
  readonly trace: Subject
  /** Absent if nothing diverged. */
  readonly divergence?: JsonDivergence
  /** The message of the incident check that the run did not pass. */
  readonly message?: string
  readonly steps: readonly JsonStep[]
  readonly consequences: readonly JsonConsequence[]
  /** Other traces that differ in the same way. */
  readonly alsoIn?: readonly string[]
}

/** Where a run differs, and how. */
export interface JsonDivergence extends Omit<
  Divergence,
  'boundary' | 'differences' | 'expected' | 'received' | 'instead' | 'isLost' | 'nearest' | 'consequence'
> {
  readonly boundary?: string
  readonly differences: readonly JsonDifference[]
  /** The trace's value and the run's value, one line each. */
  readonly expected?: string
  readonly received?: string
  readonly nearest: readonly NearestCall[]
}

/** A field that differs. Absent values are omitted; values of more than 4000 characters are cut and given as text. */
export interface JsonDifference extends Omit<FieldDifference, 'expected' | 'received' | 'standIns'> {
  readonly expected?: unknown
  readonly received?: unknown
  /** Replaces two long texts: the places where they differ. */
  readonly changes?: Excerpts['pairs']
  /** How many more places there are. */
  readonly moreChanges?: number
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
export interface JsonConsequence extends Pick<Divergence, 'cause' | 'step' | 'position'> {
  readonly summary: string
}

/** Longer texts are shown only by their differences. */
const longText = 200

/** Longer values are cut. */
const longest = 4000

/** Longer lines are cut. */
const longestLine = 500

/** A report for programs. */
export function toJsonReport(report: Report, alsoIn: readonly string[] = []): JsonReport {
  const { subject, headline, explanation, divergence, notes, standIns, drawn, advice } = report
  return omitUndefined({
    format: 1 as const,
    trace: subject,
    headline,
    explanation,
    divergence: divergence && toJsonDivergence(divergence, report),
    message: report.facts.find((fact) => fact.kind === 'message')?.text,
    steps: report.steps.map(toJsonStep),
    consequences: report.consequences.map((each) => {
      const { cause, step, position } = each
      return { cause, step, position, summary: describeDivergence(each) }
    }),
    notes,
    standIns,
    drawn,
    advice,
    alsoIn: alsoIn.length === 0 ? undefined : alsoIn,
  })
}

function toJsonDivergence(divergence: Divergence, { facts }: Report): JsonDivergence {
  const { cause, step, position, boundary, name, parts, before, site, processState, heldBefore, keptBefore } = divergence
  const lines = facts.find((fact) => fact.kind === 'lines')
  const [expected, received] = [lines?.expected, lines?.received].map((line) => line && cutText(line, longestLine))
  const differences = divergence.differences.map(toJsonDifference)
  const nearest = facts.flatMap((fact) => (fact.kind === 'nearest' ? fact.calls : []))
  const place = { cause, step, position, boundary, name }
  return omitUndefined({ ...place, parts, differences, expected, received, before, nearest, site, processState, heldBefore, keptBefore })
}

function toJsonDifference({ path, part, drawn, expected, received }: FieldDifference): JsonDifference {
  const place = { path, ...omitUndefined({ part, drawn }) }
  if (typeof expected === 'string' && typeof received === 'string' && Math.max(expected.length, received.length) > longText) {
    const { pairs, more } = excerptsOf(expected, received, longText)
    return { ...place, changes: pairs, ...(more > 0 && { moreChanges: more }) }
  }
  return { ...place, ...omitUndefined({ expected: toJson(expected), received: toJson(received) }) }
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
