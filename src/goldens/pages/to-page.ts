import { constants, gzipSync } from 'node:zlib'
import { createReport, reportDivergences } from '../../divergence/report.ts'
import type { Divergence } from '../../divergence/divergence.ts'
import type { IncidentVerdict } from '../../divergence/incident-verdict.ts'
import { type Verdict, statusOf } from '../../matchers/holds.ts'
import type { Price } from '../../models/cost.ts'
import type { Comparison } from '../../replay/compare/compare-runs.ts'
import { toReportedRun } from '../../replay/compare/to-reported-run.ts'
import type { ReplayedRun } from '../../replay/contract/replayed-run.ts'
import { createEncoder } from '../../trace/codec/encoder.ts'
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

/** The data of a page about a run, and others that were compared with it. */
export function pageOfComparisons(
  run: PageRun,
  others: readonly (PageRun & { readonly comparison: Comparison })[],
  options: PageOptions = {},
): PageData {
  const comparisons = others.map(({ comparison }): PageComparison => {
    const { divergences, steps } = comparison
    const report = reportDivergences(toReportedRun(comparison))
    return {
      kind: 'run',
      pairs: steps.map(({ a, b }) => [a?.step ?? null, b?.step ?? null]),
      verdict: toPageVerdict(report, divergences.length === 0 ? 'same' : 'different'),
    }
  })
  return { kind: 'run', runs: [run, ...others].map(embed), comparisons, ...omitUndefined(options) }
}

/** The data of a page about a trace and a replay of it that does not hold. */
export function pageOfReplay(run: ReplayedRun, verdict: Exclude<Verdict, { holds: true }>, options: PageOptions = {}): PageData {
  const incident: IncidentVerdict | undefined = 'incident' in verdict ? verdict.incident : undefined
  return pageOfReported(run, toPageVerdict(createReport(run, incident), statusOf(verdict), incident), options)
}

function pageOfReported(run: ReplayedRun, verdict: PageComparison['verdict'], options: PageOptions): PageData {
  const replayed = run.toTrace()
  const comparison: PageComparison = { kind: 'replay', pairs: pairsOf(run.trace, replayed, run.divergences[0]), verdict }
  const runs = [embed({ trace: run.trace }), embed({ trace: replayed })]
  return { kind: 'run', runs, comparisons: [comparison], ...omitUndefined(options) }
}

/**
 * A replay's steps have the numbers of the recorded ones; calls that the trace does not have come last, with further numbers. So does a call that was
 * refused because its input differs: it is the recorded step's counterpart.
 */
function pairsOf({ steps: recorded }: Trace, { steps: replayed }: Trace, first: Divergence | undefined): PageComparison['pairs'] {
  const made = new Map(replayed.map((step) => [step.step, step]))
  const owners = new Map(recorded.map(({ step, owner }) => [step, owner]))
  const refused = refusedCall(recorded, replayed, first)
  const extras = replayed.filter((step) => !owners.has(step.step) && step !== refused)
  const pairs = recorded.map(({ step }): [number | null, number | null] => {
    if (refused !== undefined && step === first?.step) return [step, refused.step]
    return [step, made.has(step) ? step : null]
  })
  for (const { step, at } of extras) {
    const before = replayed.findLast((each) => owners.has(each.step) && each.at <= at)?.step ?? 0
    const place = pairs.findLastIndex(([a]) => a === before)
    const behind = pairs.findIndex(([a], index) => index > place && a !== null && !isWithin(a, before, owners))
    pairs.splice(behind === -1 ? pairs.length : behind, 0, [null, step])
  }
  return pairs
}

/** The call that was made in the place of a recorded step, and refused. */
function refusedCall(recorded: readonly Step[], replayed: readonly Step[], first: Divergence | undefined): Step | undefined {
  const expected = recorded.find(({ step }) => step === first?.step)
  if (first === undefined || expected === undefined || first.position !== 'at' || replayed.some(({ step }) => step === first.step))
    return undefined
  const known = new Set(recorded.map(({ step }) => step))
  return replayed.find(({ step, boundary, name }) => !known.has(step) && boundary === expected.boundary && name === expected.name)
}

/** Whether a step is made in the body of another. */
function isWithin(step: number, outer: number, owners: ReadonlyMap<number, number>): boolean {
  const owner = owners.get(step) ?? 0
  return outer !== 0 && owner !== 0 && (owner === outer || isWithin(owner, outer, owners))
}

function embed({ trace, text = toText(trace), flags = [], variables }: PageRun): EmbeddedRun {
  const { golden, id } = trace.header
  return { name: golden?.name ?? id, text, ...(flags.length > 0 && { flags }), ...omitUndefined({ variables }) }
}

function toText({ rows }: Trace): string {
  const encoder = createEncoder()
  return `${rows.flatMap((row) => encoder.encode(row)).join('\n')}\n`
}

/** A page as HTML. The same data gives the same bytes. @param changes Where a served page listens for changes. Default: it makes no request. */
export function toHtml(data: PageData, title: string, changes?: string): string {
  const zipped = gzipSync(encodePageData(data), { level: constants.Z_BEST_COMPRESSION })
  // The operating system that compressed it, which zlib writes into the header.
  zipped[9] = 255
  const parts = { title: `${title} · goldenrun`, data: zipped.toString('base64'), ...omitUndefined({ changes }) }
  return renderPage(parts, viewerApp())
}
