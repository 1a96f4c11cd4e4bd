import type { Divergence } from '../divergence/divergence.ts'
import type { IncidentVerdict } from '../divergence/incident-verdict.ts'
import type { NearestCall, Report } from '../divergence/report/report.ts'
import type { Price } from '../models/cost.ts'
import { type Json, omitUndefined } from '../trace/json.ts'
import { fromRecorded, toRecorded } from '../trace/values.ts'

/** The data that a page embeds: a run, a run with the runs that it is compared with, or the list of a store's runs. */
export type PageData = RunPage | ListPage

/** A page about a run. */
export interface RunPage {
  readonly kind: 'run'
  /** The first is the subject of the page; the others are compared with it. */
  readonly runs: readonly EmbeddedRun[]
  /** One for each run after the first, in the same order. */
  readonly comparisons: readonly PageComparison[]
  /** Prices of models by name. Default: no cost is shown. */
  readonly prices?: Readonly<Record<string, Price>>
  /** The address of the list of runs, on a served page. */
  readonly list?: string
  /** The address at which a served page requests forks of the first run: it posts a `ForkRequest` and receives a `ForkAnswer`. */
  readonly forks?: string
}

/** Requests a fork: the run is repeated up to a step, and continues from there with a different answer. */
export interface ForkRequest {
  readonly step: number
  /** The answer as JSON. */
  readonly answer: string
}

/** The address of the page that compares the run with its fork; or why there is none. */
export type ForkAnswer = { readonly href: string } | { readonly problem: string }

/** A trace, as JSON Lines. */
export interface EmbeddedRun {
  /** A golden's name, or a recording's id. */
  readonly name: string
  readonly text: string
  /** The reasons for which users flagged it. Default: none. */
  readonly flags?: readonly string[]
  /** The agent's functions and their variables around each step, by step number. Default: they were not read. */
  readonly variables?: Readonly<Record<number, readonly PageFrame[]>>
}

/** A function of the agent just before a step, or after it, where the function continues. */
export interface PageFrame {
  readonly moment: 'before' | 'after'
  /** `runTool  src/run-tool.ts:36:28`. */
  readonly place: string
  /** The line of the source. Absent if it cannot be read. */
  readonly source?: string
  /** Names and printed values. */
  readonly variables: readonly (readonly [name: string, value: string])[]
}

/** The differences between a run and the first run of the page. */
export interface PageComparison {
  /** Whether it replays the first run, or is an independent run. */
  readonly kind: 'replay' | 'run'
  /** The aligned steps of the first run and of this one; null where one of them has no such step. */
  readonly pairs: readonly (readonly [number | null, number | null])[]
  readonly verdict: PageVerdict
}

/** The verdict on a replay, a comparison, or a sample of `verify`. */
export interface PageVerdict extends Pick<Report, 'headline' | 'explanation' | 'notes' | 'advice'> {
  readonly status: 'held' | 'not held' | 'repeated' | 'not exercised' | 'failed' | 'same' | 'different' | 'passed' | 'undecided'
  /** The earliest first; the others are consequences. */
  readonly divergences: readonly PageDivergence[]
  /** Recorded calls that are similar to a call that the trace does not have. */
  readonly nearest: readonly NearestCall[]
  /** The call in question on one line, for each side. */
  readonly lines?: { readonly expected?: string; readonly received: string }
  /** The message of a matcher. */
  readonly message?: string
  /** For an incident: calls that differ and got their recorded answers. Default: none. */
  readonly drifted?: readonly PageDivergence[]
  /** For an incident: where the agent departed from the recorded run. */
  readonly departure?: PageDivergence
}

/** A place where the second run differs from the first. Its step is a step of the first run. */
export type PageDivergence = Pick<Divergence, 'cause' | 'step' | 'position' | 'name' | 'parts' | 'differences' | 'site'>

/** The list of a store's runs, on a served page. */
export interface ListPage {
  readonly kind: 'list'
  /** Where the runs are kept. */
  readonly place: string
  readonly runs: readonly ListedRun[]
  /** Whether there are older runs than these. */
  readonly more: boolean
}

/** A run of the list. */
export interface ListedRun {
  /** The address of its page. */
  readonly href: string
  readonly name: string
  readonly agent: string
  readonly status: string
  readonly steps: number
  readonly startedAt: string
  readonly flags: readonly string[]
  readonly tags: Readonly<Record<string, string>>
  readonly golden: boolean
  readonly description?: string
}

/** Returns the verdict of a report. */
export function toPageVerdict(report: Report, status: PageVerdict['status'], incident?: IncidentVerdict): PageVerdict {
  const { headline, explanation, notes, advice, facts, divergence, consequences } = report
  const message = facts.find((fact) => fact.kind === 'message')?.text
  const lines = facts.find((fact) => fact.kind === 'lines')
  const first = divergence && toPageDivergence(divergence)
  const { drift = [] } = incident ?? {}
  // An agent that repeats the incident did not depart: earlier differences are drift.
  const departure = incident?.word === 'repeated' ? undefined : incident?.departure
  return {
    status,
    headline,
    explanation,
    notes,
    advice,
    divergences: [
      ...(first ? [incident?.word === 'repeated' ? atRepeatedStep(first, incident) : first] : []),
      ...consequences.map(toPageDivergence),
    ],
    nearest: facts.flatMap((fact) => (fact.kind === 'nearest' ? fact.calls : [])),
    ...(lines && { lines: { received: lines.received, ...omitUndefined({ expected: lines.expected }) } }),
    ...(drift.length > 0 && { drifted: drift.map(toPageDivergence) }),
    ...(departure && { departure: toPageDivergence(departure) }),
    ...omitUndefined({ message }),
  }
}

/** Moves the call that repeats an incident next to the recorded call. */
function atRepeatedStep(found: PageDivergence, { at, divergence }: Extract<IncidentVerdict, { word: 'repeated' }>): PageDivergence {
  const differences = divergence.nearest.find(({ step }) => step === at)?.differences ?? []
  return { ...found, step: at, position: 'at', differences }
}

function toPageDivergence({ cause, step, position, name, parts, differences, site }: Divergence): PageDivergence {
  return { cause, step, position, parts, differences, ...omitUndefined({ name, site }) }
}

/** Encodes the data of a page as text. */
export function encodePageData(data: PageData): string {
  // A trace's text is not a value of a run, so its size is not limited.
  return JSON.stringify(data, (key, value: unknown) => (key === 'verdict' ? toRecorded(value) : value))
}

/** The inverse of `encodePageData`. */
export function decodePageData(text: string): PageData {
  const data = JSON.parse(text) as PageData
  if (data.kind === 'list') return data
  const comparisons = data.comparisons.map((each) => ({ ...each, verdict: fromRecorded(each.verdict as unknown as Json) as PageVerdict }))
  return { ...data, comparisons }
}
