import { listFiles } from '../divergence/report/notes.ts'
import { cutText } from '../divergence/print-value.ts'
import type { IncidentProof } from '../goldens/prove-incident.ts'
import { modelCallsOf } from '../replay/traces/model-calls.ts'
import type { Promotion } from '../replay/goldens/promotion.ts'
import { keepOption, type PromotedConstant, tellConstant } from '../replay/goldens/promotion/constants.ts'
import { findUnexplainedHeaders, type UnexplainedHeader } from '../replay/goldens/promotion/unexplained-headers.ts'
import { findRepeatedSideEffects } from '../replay/goldens/promotion/expect-departure.ts'
import type { RepeatedSideEffect } from '../trace/side-effects.ts'
import { toolCallsOf } from '../replay/traces/tool-calls.ts'
import { displayPath } from '../node/display-path.ts'
import type { Row } from '../trace/rows.ts'
import type { Expectation, Golden } from '../trace/run-row.ts'
import type { Step, Trace } from '../trace/trace.ts'
import { describeExpectation } from './describe-expectation.ts'
import { errorText, valueText } from './describe-step.ts'
import type { ReplacedGolden } from './replaced-golden.ts'
import type { Terminal } from './terminal.ts'
import { describeBoundaries } from './run-totals.ts'
import { formatFields } from './transcript.ts'
import { count, formatBytes } from './units.ts'

/** The summary of a promotion, as printed by `goldenrun promote --json`. */
export interface PromotionSummary extends Pick<Golden, 'name' | 'promotedFrom' | 'follows' | 'expect'> {
  readonly file: string
  readonly agent: string
  readonly bytes: number
  readonly steps: number
  /** The tools in the order of their calls. `asked`: the model asked for it, and no wrapped tool ran. */
  readonly tools: readonly { readonly name: string; readonly source: 'ran' | 'asked' }[]
  readonly redacted: { readonly standIns: number; readonly byRule: Readonly<Record<string, number>> }
  /** The number of draws of crypto bytes in the trace. */
  readonly cryptoDraws: number
  readonly repeatedSideEffects: readonly RepeatedSideEffect[]
  /** Values that occur literally in the agent's source and are redacted in the trace; absent if there are none. */
  readonly constants?: readonly PromotedConstant[]
  /** Headers whose values probably come from the context, which is not kept; absent if there are none. */
  readonly unexplainedHeaders?: readonly UnexplainedHeader[]
  /** Set if the config's agent was replayed and did the same. */
  readonly isReplayed?: true
  /** For an incident: the agent that reproduced it, or why that was not checked. */
  readonly incident?: { readonly word: IncidentProof; readonly by: string } | { readonly unverified: string }
  /** What changes in the golden of that name; absent if there is none. */
  readonly replaces?: ReplacedGolden
  /** Files that the agent changed without a step when it was tried; absent if there are none. */
  readonly changedFiles?: readonly string[]
  /** Packages that the process had loaded and whose native code can reach the world unrecorded, with their files. */
  readonly nativeAddons: readonly string[]
  /** Connections and programs of native code that were open during the run, whatever opened them; absent if there are none. */
  readonly nativeContacts?: readonly string[]
  /** Calls that answered several runs, so that one run's trace has them and the other's does not; absent if there are none. */
  readonly sharedCalls?: readonly string[]
  /** Data that the recorder dropped or cut. */
  readonly losses: readonly string[]
}

/** Summarizes what a promotion keeps. */
export function summarizePromotion({ name, file, trace, text, standIns, constants = [], changedFiles = [] }: Promotion): PromotionSummary {
  const { header, steps, rows } = trace
  const { golden } = header
  if (golden === undefined) throw new TypeError('a promotion has no golden header')
  const unexplainedHeaders = findUnexplainedHeaders(trace)
  const sharedCalls = notesOf(rows, 'shared-call')
  const nativeContacts = notesOf(rows, 'native-contact')
  return {
    name,
    file: displayPath(file),
    agent: header.agent,
    promotedFrom: golden.promotedFrom,
    ...(golden.follows !== undefined && { follows: golden.follows }),
    expect: golden.expect,
    bytes: Buffer.byteLength(text),
    steps: steps.length,
    tools: toolCallsOf(steps, modelCallsOf(steps)).map((call) => ({ name: call.name, source: call.source })),
    redacted: { standIns: standIns.total, byRule: standIns.byRule },
    cryptoDraws: rows.reduce((draws, row) => draws + (row.kind === 'reads' ? (row.bytes?.length ?? 0) : 0), 0),
    repeatedSideEffects: findRepeatedSideEffects(trace),
    ...(constants.length > 0 && { constants }),
    ...(unexplainedHeaders.length > 0 && { unexplainedHeaders }),
    ...(changedFiles.length > 0 && { changedFiles }),
    nativeAddons: notesOf(rows, 'native-addon'),
    ...(nativeContacts.length > 0 && { nativeContacts }),
    ...(sharedCalls.length > 0 && { sharedCalls }),
    losses: rows.flatMap(describeLoss),
  }
}

/** Formats the summary that the user confirms. */
export function formatPromotion(
  summary: PromotionSummary,
  { end, steps }: Trace,
  { colors, width }: Pick<Terminal, 'colors' | 'width'>,
): string[] {
  const { agent, bytes, cryptoDraws, expect, file, losses, nativeAddons, promotedFrom, repeatedSideEffects, tools } = summary
  const outcome =
    end === undefined ? 'did not end' : end.error === undefined ? `returned ${valueText(end.output)}` : `threw ${errorText(end.error)}`
  const called = tools.map(({ name, source }) => (source === 'asked' ? `${name} (asked, not wrapped)` : name))
  const repeated = repeatedSideEffects.map(({ name, step, first }) => `${name}: step ${step} repeats step ${first}`)
  const fields = formatFields(
    [
      ['agent', agent],
      ['follows', summary.follows],
      ['outcome', cutText(outcome, width)],
      ['steps', `${steps.length}${describeBoundaries(steps)}`],
      ['size', formatBytes(bytes)],
      ['tools', called.length === 0 ? 'none' : called.join(' → ')],
      ['holds when', describeExpectation(expect)],
      ['replays', summary.isReplayed === true ? 'without divergence, with the agent of goldenrun.config.ts' : undefined],
      ['verified', summary.incident && describeProof(summary.incident)],
      ['redacted', describeRedaction(summary.redacted)],
      ...(summary.constants?.map((constant): [string, string] => ['constant', describeConstant(constant)]) ?? []),
      ...(summary.unexplainedHeaders?.map((header): [string, string] => ['header', describeHeader(header)]) ?? []),
      ['crypto', cryptoDraws === 0 ? undefined : `${count(cryptoDraws, 'draw')} of random bytes, which may be keys that the run made`],
      ['repeated', repeated.length === 0 ? undefined : repeated.join('; ')],
      ['files', summary.changedFiles && `${listFiles(summary.changedFiles)}: changed without a step, so not compared`],
      ['native', nativeAddons.length === 0 ? undefined : describeNative(summary)],
      ['shared', summary.sharedCalls?.join('; ')],
      ['lost', losses.length === 0 ? undefined : losses.join('; ')],
    ],
    // Users have to see everything that they confirm.
    { colors, width: Infinity },
  )
  return [colors.bold(`Promote ${promotedFrom} to ${file}`), ...fields, ...adviceOn(summary, steps).map(colors.yellow)]
}

function adviceOn({ expect, repeatedSideEffects }: PromotionSummary, steps: readonly Step[]): string[] {
  if (expect.replay === 'departs') return adviceOnTools(expect, steps)
  if (repeatedSideEffects.length === 0) return []
  return ['This golden would hold as long as the agent repeats the side effect. For a test that is red until it stops: --incident']
}

/** A tool's function does not run in a replay, so a fix in it, and what it calls, are not judged unless it does. */
function adviceOnTools({ at, tools = {} }: Extract<Expectation, { replay: 'departs' }>, steps: readonly Step[]): string[] {
  const made = steps.find(({ step }) => step === at)
  const owner = steps.find(({ step }) => step === made?.owner)
  if (owner?.boundary !== 'tool' || Object.hasOwn(tools, owner.name)) return []
  return [
    `Step ${at} is made inside the tool ${owner.name}, whose function does not run in a replay. To judge what it does: --run-tool ${owner.name}`,
  ]
}

function describeRedaction({ standIns, byRule }: PromotionSummary['redacted']): string {
  if (standIns === 0) return 'nothing: no key or token of a known shape was found'
  const rules = Object.entries(byRule).map(([rule, number]) => `${number} ${rule}`)
  return `${count(standIns, 'value')} (${rules.join(', ')})`
}

function describeProof(proof: NonNullable<PromotionSummary['incident']>): string {
  if ('unverified' in proof) return `no (${proof.unverified}): nothing shows that this golden finds the bug`
  return `${proof.by} ${proof.word === 'repeated' ? 'reproduces it' : 'fails the check'}`
}

function describeNative({ nativeAddons, nativeContacts = [] }: PromotionSummary): string {
  const had = nativeContacts.length === 0 ? '' : `. Open during the run: ${nativeContacts.join(', ')}`
  return `${nativeAddons.join(', ')}: its native code can reach the world, which is not recorded, and writes real files in a replay${had}`
}

function describeConstant(constant: PromotedConstant): string {
  const what = `the code passes ${tellConstant(constant)}`
  if (constant.isKept) return `${what}: kept as it is`
  return `${what}: compared only as a stand-in. To keep it: ${keepOption(constant)}`
}

function describeHeader({ name, value, steps }: UnexplainedHeader): string {
  const where = `${steps.length === 1 ? 'step' : 'steps'} ${steps.slice(0, 3).join(', ')}${steps.length > 3 ? ', …' : ''}`
  return `${name}: ${cutText(value, 40)} of ${where} comes from the context, as it seems, and is compared. To leave it out: headers: { ignore: ['${name}'] }`
}

function notesOf(rows: readonly Row[], what: string): string[] {
  return rows.flatMap((row) => (row.kind === 'note' && row.what === what ? [row.where] : []))
}

function describeLoss(row: Row): string[] {
  if (row.kind !== 'note') return []
  return ['drop', 'cut', 'torn-tail', 'unrecorded-contact'].includes(row.what) ? [`${row.what.replaceAll('-', ' ')}: ${row.where}`] : []
}
