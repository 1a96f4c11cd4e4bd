import type { Divergence } from '../divergence/divergence.ts'
import type { IncidentVerdict } from '../divergence/incident-verdict.ts'
import type { NearestCall, Report } from '../divergence/report/report.ts'
import type { Price } from '../models/cost.ts'
import { type Json, omitUndefined } from '../trace/json.ts'
import { fromRecorded, toRecorded } from '../trace/values.ts'

/** What a page embeds: one run, a run with others that it is compared with, or the list of a store's runs. */
export type PageData = RunPage | ListPage

/** A page about a run. */
export interface RunPage {
  readonly kind: 'run'
  /** The first is what the page is about; the others are compared with it. */
  readonly runs: readonly EmbeddedRun[]
  /** One for each further run, in the same order. */
  readonly comparisons: readonly PageComparison[]
  /** What models cost, by name. Default: no cost is shown. */
  readonly prices?: Readonly<Record<string, Price>>
  /** Where the list of runs is, on a served page. */
  readonly list?: string
  /** Where a served page asks for a fork of the first run: a `ForkRequest` is posted, a `ForkAnswer` comes back. */
  readonly forks?: string
}

/** Asks for a fork: the run again up to a step, and on from there with a different answer. */
export interface ForkRequest {
  readonly step: number
  /** JSON. */
  readonly answer: string
}

/** Where the page is that compares the run with its fork; or why there is none. */
export type ForkAnswer = { readonly href: string } | { readonly problem: string }

/** A trace, as JSON Lines. */
export interface EmbeddedRun {
  /** A golden's name, or a recording's id. */
  readonly name: string
  readonly text: string
  /** The reasons for which users flagged it. Default: none. */
  readonly flags?: readonly string[]
  /** The agent's functions and their variables around each step, by its number. Default: they were not read. */
  readonly variables?: Readonly<Record<number, readonly PageFrame[]>>
}

/** A function of the agent just before a step, or where it continues after it. */
export interface PageFrame {
  readonly moment: 'before' | 'after'
  /** `runTool  src/run-tool.ts:36:28`. */
  readonly place: string
  /** The line of the source. Absent if it cannot be read. */
  readonly source?: string
  /** Names and printed values. */
  readonly variables: readonly (readonly [name: string, value: string])[]
}

/** How a run differs from the first run of the page. */
export interface PageComparison {
  /** A replay of the first run, or a run of its own. */
  readonly kind: 'replay' | 'run'
  /** The steps of the first run and of this one, aligned; null where one of them has no such step. */
  readonly pairs: readonly (readonly [number | null, number | null])[]
  readonly verdict: PageVerdict
}

/** The verdict on a replay, on a comparison, or on a sample of `verify`. */
export interface PageVerdict extends Pick<Report, 'headline' | 'explanation' | 'notes' | 'advice'> {
  readonly status: 'held' | 'not held' | 'repeated' | 'not exercised' | 'failed' | 'same' | 'different' | 'passed' | 'undecided'
  /** The earliest first; the others follow from it. */
  readonly divergences: readonly PageDivergence[]
  /** Recorded calls that are similar to one that the trace does not have. */
  readonly nearest: readonly NearestCall[]
  /** The call in question on one line, as each side has it. */
  readonly lines?: { readonly expected?: string; readonly received: string }
  /** What a matcher says. */
  readonly message?: string
  /** Of an incident: calls that differ and were answered as recorded. Default: none. */
  readonly drifted?: readonly PageDivergence[]
  /** Of an incident: where the agent departed from the recorded run. */
  readonly departure?: PageDivergence
}

/** A place where the second run differs from the first. Its step is one of the first run. */
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
  /** Where its page is. */
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

/** The verdict of a report. */
export function toPageVerdict(report: Report, status: PageVerdict['status'], incident?: IncidentVerdict): PageVerdict {
  const { headline, explanation, notes, advice, facts, divergence, consequences } = report
  const message = facts.find((fact) => fact.kind === 'message')?.text
  const lines = facts.find((fact) => fact.kind === 'lines')
  const first = divergence && toPageDivergence(divergence)
  const { drift = [] } = incident ?? {}
  // An agent that repeats the incident did not depart: what differs before is drift.
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

/** The call that repeats an incident stands beside the recorded one. */
function atRepeatedStep(found: PageDivergence, { at, divergence }: Extract<IncidentVerdict, { word: 'repeated' }>): PageDivergence {
  const differences = divergence.nearest.find(({ step }) => step === at)?.differences ?? []
  return { ...found, step: at, position: 'at', differences }
}

function toPageDivergence({ cause, step, position, name, parts, differences, site }: Divergence): PageDivergence {
  return { cause, step, position, parts, differences, ...omitUndefined({ name, site }) }
}

/** The data of a page as text. */
export function encodePageData(data: PageData): string {
  // A trace's text is no value of a run: it is not limited in size.
  return JSON.stringify(data, (key, value: unknown) => (key === 'verdict' ? toRecorded(value) : value))
}

/** The inverse. */
export function decodePageData(text: string): PageData {
  const data = JSON.parse(text) as PageData
  if (data.kind === 'list') return data
  const comparisons = data.comparisons.map((each) => ({ ...each, verdict: fromRecorded(each.verdict as unknown as Json) as PageVerdict }))
  return { ...data, comparisons }
}
