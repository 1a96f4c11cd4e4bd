import { constants, gzipSync } from 'node:zlib'
import { createReport, reportDivergences } from '../../divergence/create-report.ts'
import type { Divergence } from '../../divergence/divergence.ts'
import { type Verdict, statusOf } from '../../matchers/holds.ts'
import type { Price } from '../../models/cost.ts'
import type { Comparison } from '../../replay/compare/compare-runs.ts'
import { toReportedRun } from '../../replay/compare/to-reported-run.ts'
import type { ReplayedRun } from '../../replay/contract/replayed-run.ts'
import { encodeTrace } from '../../trace/codec/encoder.ts'
import { canonical } from '../../trace/hash.ts'
import { omitUndefined } from '../../trace/json.ts'
import type { Step, Trace } from '../../trace/trace.ts'
import { type EmbeddedRun, type PageComparison, type PageData, encodePageData, toPageVerdict } from '../../viewer/page-data.ts'
import { renderPage } from '../../viewer/render-page.ts'
import { viewerApp } from './viewer-app.ts'

/** What a page shows in addition to its runs. */
export interface PageOptions {
  /** Model prices by name. Default: no cost is shown. */
  readonly prices?: Readonly<Record<string, Price>> | undefined
  /** The URL of the list of runs, on a served page. */
  readonly list?: string
  /** The URL where a served page requests a fork of the first run. */
  readonly forks?: string
}

/** An embedded run: its trace, or the text of its file. */
export interface PageRun {
  readonly trace: Trace
  readonly text?: string
  readonly flags?: readonly string[]
  readonly variables?: EmbeddedRun['variables']
}

/** Creates the data of a page about one run. */
export function pageOfRun(run: PageRun, options: PageOptions = {}): PageData {
  return { kind: 'run', runs: [embed(run)], comparisons: [], ...omitUndefined(options) }
}

/** A run that is compared with the first run of a page. */
export interface ComparedPageRun extends PageRun {
  readonly comparison: Comparison
  /** The result of a `verify` sample, and its cause. Default: an ordinary run. */
  readonly sample?: { readonly result: 'passed' | 'failed' | 'undecided'; readonly cause?: string }
}

/** What a page of several runs shows in addition to them. */
export interface ComparisonOptions extends PageOptions {
  /** Whether the suggested commands find all runs: a fork that was not kept has no name. Default: yes. */
  readonly hasCommands?: boolean
}

/** Creates the data of a page that compares a run with others. */
export function pageOfComparisons(
  run: PageRun,
  others: readonly ComparedPageRun[],
  { hasCommands = true, ...options }: ComparisonOptions = {},
): PageData {
  const comparisons = others.map(({ comparison, sample }): PageComparison => {
    const { a: first, b: second, divergences, steps } = comparison
    const isOtherInput = canonical(first.header.input) !== canonical(second.header.input)
    const verdict = toPageVerdict(
      reportDivergences(toReportedRun(comparison)),
      divergences.length === 0 && !isOtherInput ? 'same' : 'different',
    )
    return {
      kind: 'run',
      pairs: steps.map(({ a, b }) => [a?.step ?? null, b?.step ?? null]),
      verdict: {
        ...verdict,
        ...(isOtherInput && { notes: ['The agents were given different inputs.', ...verdict.notes] }),
        ...(!hasCommands && { advice: [] }),
        ...(sample && { status: sample.result, explanation: [sample.cause ?? '', verdict.explanation].filter(Boolean).join(' ') }),
      },
    }
  })
  return { kind: 'run', runs: [run, ...others].map(embed), comparisons, ...omitUndefined(options) }
}

/** Creates the data of a page about a trace and a replay of it that does not hold. */
export function pageOfReplay(run: ReplayedRun, verdict: Exclude<Verdict, { holds: true }>, options: PageOptions = {}): PageData {
  const incident = 'incident' in verdict ? verdict.incident : undefined
  const shown = toPageVerdict(createReport(run, incident), statusOf(verdict), incident)
  const replayed = run.toTrace()
  const refused: Refusal | undefined =
    incident?.word === 'repeated' ? { ...incident.divergence, step: incident.at, position: 'at' } : run.divergences[0]
  const comparison: PageComparison = { kind: 'replay', pairs: pairsOf(run.trace, replayed, refused), verdict: shown }
  const runs = [embed({ trace: run.trace }), embed({ trace: replayed })]
  return { kind: 'run', runs, comparisons: [comparison], ...omitUndefined(options) }
}

/** A call that was refused at the position of a recorded one. */
type Refusal = Pick<Divergence, 'step' | 'position' | 'received'>

/**
 * Pairs the recorded steps with the replayed ones, which have the same numbers. Calls that the trace does not have come last, with further numbers.
 * A call that was refused at the position of a recorded one is its counterpart.
 */
function pairsOf({ steps: recorded }: Trace, { steps: replayed }: Trace, refusal: Refusal | undefined): PageComparison['pairs'] {
  const made = new Set(replayed.map(({ step }) => step))
  const known = new Set(recorded.map(({ step }) => step))
  const extras = replayed.filter(({ step }) => !known.has(step))
  const due = refusal?.position === 'at' ? recorded.find(({ step }) => step === refusal.step && !made.has(step)) : undefined
  const refused = due && refusedCall(due, extras, refusal?.received)
  const pairs = recorded.map(({ step }): [number, number | null] => {
    if (step === due?.step && refused !== undefined) return [step, refused.step]
    return [step, made.has(step) ? step : null]
  })
  return [...pairs, ...extras.flatMap((step): [null, number][] => (step === refused ? [] : [[null, step.step]]))]
}

/** Finds the call that was refused at the position of a recorded step: the agent may have made other calls with the same name. */
function refusedCall({ boundary, name }: Step, extras: readonly Step[], received: unknown): Step | undefined {
  const named = extras.filter((step) => step.boundary === boundary && step.name === name)
  return named.find(({ input }) => canonical(input) === canonical(received)) ?? named[0]
}

function embed({ trace, text = encodeTrace(trace), flags = [], variables }: PageRun): EmbeddedRun {
  const { golden, id } = trace.header
  return { name: golden?.name ?? id, text, ...(flags.length > 0 && { flags }), ...omitUndefined({ variables }) }
}

/** Returns a page as HTML. The same data gives the same bytes. @param changes The URL that a served page watches for changes. Default: it makes no request. */
export function toHtml(data: PageData, title: string, changes?: string): string {
  const zipped = gzipSync(encodePageData(data), { level: constants.Z_BEST_COMPRESSION })
  // zlib writes the operating system into the gzip header; 255 means unknown.
  zipped[9] = 255
  const parts = { title: `${title} · goldenrun`, data: zipped.toString('base64'), ...omitUndefined({ changes }) }
  return renderPage(parts, viewerApp())
}
