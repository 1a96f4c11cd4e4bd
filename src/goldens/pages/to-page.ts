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

/** What a page shows beside its runs. */
export interface PageOptions {
  /** What models cost, by name. Default: no cost is shown. */
  readonly prices?: Readonly<Record<string, Price>> | undefined
  /** Where the list of runs is, on a served page. */
  readonly list?: string
  /** Where a served page asks for a fork of the first run. */
  readonly forks?: string
}

/** A run that is embedded, by its trace or by the text of its file. */
export interface PageRun {
  readonly trace: Trace
  readonly text?: string
  readonly flags?: readonly string[]
  readonly variables?: EmbeddedRun['variables']
}

/** The data of a page about one run. */
export function pageOfRun(run: PageRun, options: PageOptions = {}): PageData {
  return { kind: 'run', runs: [embed(run)], comparisons: [], ...omitUndefined(options) }
}

/** A run that was compared with the first one of a page. */
export interface ComparedPageRun extends PageRun {
  readonly comparison: Comparison
  /** Of a sample of `verify`: what it came to, and why. Default: it is a run like any other. */
  readonly sample?: { readonly result: 'passed' | 'failed' | 'undecided'; readonly cause?: string }
}

/** What a page of several runs shows beside them. */
export interface ComparisonOptions extends PageOptions {
  /** Whether the commands that it suggests find all runs: a fork that is not kept has no name. Default: yes. */
  readonly hasCommands?: boolean
}

/** The data of a page about a run, and others that were compared with it. */
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

/** The data of a page about a trace and a replay of it that does not hold. */
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

/** A call that was refused where a recorded one was due. */
type Refusal = Pick<Divergence, 'step' | 'position' | 'received'>

/**
 * A replay's steps have the numbers of the recorded ones; calls that the trace does not have come last, with further numbers. So does a call that was
 * refused where a recorded one was due: it is that step's counterpart.
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

/** The call that was refused in the place of a recorded step: the agent may have made others of its name. */
function refusedCall({ boundary, name }: Step, extras: readonly Step[], received: unknown): Step | undefined {
  const named = extras.filter((step) => step.boundary === boundary && step.name === name)
  return named.find(({ input }) => canonical(input) === canonical(received)) ?? named[0]
}

function embed({ trace, text = encodeTrace(trace), flags = [], variables }: PageRun): EmbeddedRun {
  const { golden, id } = trace.header
  return { name: golden?.name ?? id, text, ...(flags.length > 0 && { flags }), ...omitUndefined({ variables }) }
}

/** A page as HTML. The same data gives the same bytes. @param changes Where a served page listens for changes. Default: it makes no request. */
export function toHtml(data: PageData, title: string, changes?: string): string {
  const zipped = gzipSync(encodePageData(data), { level: constants.Z_BEST_COMPRESSION })
  // The operating system that compressed it, which zlib writes into the header.
  zipped[9] = 255
  const parts = { title: `${title} · goldenrun`, data: zipped.toString('base64'), ...omitUndefined({ changes }) }
  return renderPage(parts, viewerApp())
}
