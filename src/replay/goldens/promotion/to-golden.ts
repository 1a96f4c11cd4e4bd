import { gatherStandIns } from '../../../divergence/gathered-stand-ins.ts'
import { assembleTrace } from '../../../trace/assemble.ts'
import { createEncoder } from '../../../trace/codec/encoder.ts'
import { toGoldenRows } from '../../../trace/compact.ts'
import { omitUndefined } from '../../../trace/json.ts'
import type { Row } from '../../../trace/rows.ts'
import type { Expectation, Golden, RunRow } from '../../../trace/run-row.ts'
import type { Trace } from '../../../trace/trace.ts'
import { toRecorded } from '../../../trace/values.ts'
import { UNFINISHED } from '../../../trace/decode-checked.ts'
import { contractsOf } from '../../traces/contracts.ts'
import { digest } from '../../traces/digest.ts'
import { modelCallsOf } from '../../traces/model-calls.ts'
import { variablesOf } from '../../traces/variables-of.ts'
import { withUsage } from '../../traces/read-trace.ts'
import { PromoteError } from './promote-error.ts'
import { builtInRules } from '../../../redaction/built-in-rules.ts'
import { mayHold } from '../../../redaction/rule.ts'
import { standInsOf } from '../../../redaction/trace-stand-ins.ts'
import type { KnownStandIns } from '../../../divergence/stand-ins.ts'

/** What a golden contains besides the run. */
export interface GoldenOptions {
  /** The name of its file below `golden-traces/`, without `.jsonl`. */
  readonly name: string
  /** What the run is about, in a sentence. Default: none. */
  readonly description?: string
  /** The expected outcome, in a sentence; reports print it. Default: none. */
  readonly expectedOutcome?: string
  /** What holding means. Default: the same run again. */
  readonly expect?: Expectation
  /**
   * The name of the golden of the previous run in the conversation. That golden is replayed first, in the same process, because an agent may
   * have kept something between the two runs. Default: none.
   */
  readonly follows?: string
  /** ISO 8601. */
  readonly promotedAt: string
}

/** A golden as it would be written. */
export interface GoldenText {
  readonly rows: readonly Row[]
  /** JSON Lines. Deterministic for the same trace and options. */
  readonly text: string
  readonly standIns: StandIns
}

/**
 * Creates a golden from a trace: its rows in golden form, under a header with contracts and expectations.
 *
 * @throws PromoteError if an answer or a check of the expectation cannot be written.
 */
export function toGolden(
  trace: Trace,
  { name, description, expectedOutcome, expect = { replay: 'same' }, follows, promotedAt }: GoldenOptions,
): GoldenText {
  // A golden that is promoted again keeps its mark of an earlier rebase.
  const rebasedAt = trace.header.golden?.rebasedAt
  const promotedFrom = trace.header.id
  const golden: Golden = omitUndefined({ name, description, expectedOutcome, expect, promotedAt, promotedFrom, follows, rebasedAt })
  const rest = withEnd(toGoldenRows(withUsage(trace).rows).slice(1))
  return writeGolden({ ...trace.header, contracts: contractsOf(trace.steps, digest, standInsOf(trace)), golden }, rest)
}

/**
 * Serializes a golden from a header and the other rows.
 *
 * @throws PromoteError if part of it cannot be written.
 */
export function writeGolden(header: RunRow, rest: readonly Row[]): GoldenText {
  const whole = assembleTrace([header, ...rest], digest)
  const spelled = JSON.stringify(spelledTexts(whole))
  const text = encode(header.id, [header, ...rest.filter(({ kind }) => kind !== 'stand-in')])
  const standIns = countStandIns(`${text}${spelled}`, standInsOf(whole))
  const { variables: _, ...golden } = header.golden ?? {}
  const variables = variablesOf(rest)
  const named = { ...golden, ...(Object.keys(variables).length > 0 && { variables }) } as Golden
  const counted = { ...header, redaction: { ...header.redaction, standIns: standIns.total } }
  const rows = [header.golden === undefined ? counted : { ...counted, golden: named }, ...rest]
  return { rows, text: encode(header.id, rows), standIns }
}

/** Marks a run without an end as such, because a golden with neither was cut off. */
function withEnd(rows: readonly Row[]): Row[] {
  const isMarked = rows.some((row) => row.kind === 'end' || (row.kind === 'note' && row.what === UNFINISHED))
  if (isMarked) return [...rows]
  const at = rows.reduce((latest, row) => ('at' in row ? row.at : latest), 0)
  return [...rows, { kind: 'note', what: UNFINISHED, where: 'the run has no end', at }]
}

function encode(trace: string, rows: readonly Row[]): string {
  const unkept: string[] = []
  const encoder = createEncoder({ onUnkept: (where, path, why) => void unkept.push(`${path} of the ${where} (${why})`) })
  const lines = rows.flatMap((row) => encoder.encode(row))
  if (unkept.length > 0) {
    throw new PromoteError('GOLDENRUN_PROMOTE_UNKEPT_VALUE', {
      trace,
      problem: `the values to add cannot be written to a golden: ${unkept.join(', ')}.`,
      advice: 'Use plain data there.',
    })
  }
  return lines.map((line) => `${line.replaceAll(runnerWords, String.raw`\u0040`)}\n`).join('')
}

/** Vitest reads settings from comments anywhere in a test file's text. An agent's recorded text about tests must not set any. */
const runnerWords = /@(?=(?:vitest|jest)-environment|module-tag)/g

/** The stand-ins in a trace. */
export interface StandIns {
  /** How many different stand-ins there are. */
  readonly total: number
  /** How many belong to each rule, by its name; `own` if no built-in rule matches. */
  readonly byRule: Readonly<Record<string, number>>
}

/** The texts that pieces of a stream spell, in which stand-ins are whole. */
export function spelledTexts(trace: Pick<Trace, 'header' | 'rows' | 'steps' | 'end'>): unknown[] {
  const { steps, end } = trace
  return [...modelCallsOf(steps).map(({ answer }) => answer), gatherStandIns(toRecorded(end?.output), standInsOf(trace))]
}

/** Counts the stand-ins in the text of a trace. They have the shape of the original values, so the same rules match them. */
function countStandIns(text: string, standIns: KnownStandIns): StandIns {
  const found = standIns.find(text)
  const ruleOf = new Map<number, string>()
  if (found.length > 0) {
    for (const rule of builtInRules.filter((each) => mayHold(each, text))) {
      for (const { start, end } of rule.find(text)) {
        for (const { number } of standIns.find(text.slice(start, end))) if (!ruleOf.has(number)) ruleOf.set(number, rule.name)
      }
    }
  }
  // They are numbered from 1: 0 is the first part of a stand-in that is divided among pieces.
  const numbers = new Set(found.flatMap(({ number }) => (number === 0 ? [] : [number])))
  const byRule: Record<string, number> = {}
  for (const number of [...numbers].toSorted((a, b) => a - b)) {
    const rule = ruleOf.get(number) ?? 'own'
    byRule[rule] = (byRule[rule] ?? 0) + 1
  }
  return { total: numbers.size, byRule }
}
