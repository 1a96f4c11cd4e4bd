import { applyEdits } from '../../../redaction/edits.ts'
import type { StandInSides } from '../../../divergence/stand-ins.ts'
import { isReserved, mapFields } from '../../../trace/json.ts'
import type { EndRow, Row } from '../../../trace/rows.ts'
import type { RunRow } from '../../../trace/run-row.ts'
import { fromRecorded } from '../../../trace/values.ts'
import { isFields, ownField } from '../../../divergence/same-value.ts'
import type { ComparedValues } from '../../result/compared-values.ts'
import { decoded } from './constants.ts'

/**
 * The rows after the header, with literals in place of stand-ins wherever the agent's code passed them.
 */
export function keepLiterals(rows: readonly Row[], values: readonly ComparedValues[], literals: Literals): Row[] {
  const steps = new Map(values.flatMap((each) => (each.call === undefined ? [] : [[each.call.step, each] as const])))
  const checkpoints = new Map(values.flatMap((each) => (each.row === undefined ? [] : [[each.row, each] as const])))
  const outcome = values.find(({ place }) => place === 'outcome')
  const kept = ({ expected, received }: ComparedValues): unknown => fromRecorded(withLiterals(expected, received, literals) as never)
  return rows.map((row): Row => {
    if (row.kind === 'call') {
      const value = steps.get(row.step)
      return value === undefined ? row : { ...row, input: kept(value) }
    }
    if (row.kind === 'checkpoint') {
      const value = checkpoints.get(row)
      return value === undefined ? row : { ...row, state: kept(value) }
    }
    return row.kind === 'end' && outcome !== undefined ? keptEnd(row, kept(outcome)) : row
  })
}

/** Literals by their stand-ins in a replay, and the stand-ins of the trace and of that replay. */
interface Literals {
  readonly literals: ReadonlyMap<string, string>
  readonly sides: StandInSides
}

/**
 * The rows of a golden with literals in place of their stand-ins wherever the run has the same value: in its input and in answers, which the agent's code
 * may compare with the constant.
 */
export function literalsEverywhere<Kept extends Row>(rows: readonly Kept[], literals: ReadonlyMap<string, string>): Kept[] {
  const standIns = [...literals.keys()].map((standIn) => standIn.replaceAll(/[.*+?^$()[\]{}|\\]/g, String.raw`\$&`))
  if (standIns.length === 0) return [...rows]
  const anywhere = new RegExp(String.raw`(?<![\w.+%@-])(?:${standIns.join('|')})(?![\w@])`, 'g')
  const keep = (text: string): string => text.replaceAll(anywhere, (standIn) => literals.get(standIn) ?? standIn)
  return rows.map((row) => (row.kind === 'stand-in' ? row : (withTexts(row, keep) as Kept)))
}

/** A value with each of its texts changed. What is no plain object, such as bytes, stays. */
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => withTexts(item, change))
  if (!isFields(value) || Object.getPrototypeOf(value) !== Object.prototype) return value
  return mapFields(value, (field) => withTexts(field, change))
}

/** A header that marks literals as public. */
export function keepInHeader(header: RunRow, literals: Iterable<string>): RunRow {
  const { keep = [] } = header.redaction
  const texts = new Set([...literals].flatMap((literal) => [literal, decoded(literal)]))
  return { ...header, redaction: { ...header.redaction, keep: [...keep, ...[...texts].map((text) => ({ text }))] } }
}

function keptEnd(row: EndRow, outcome: unknown): EndRow {
  if (!isFields(outcome)) return row
  const { output, error } = outcome
  if (row.error !== undefined && isFields(error)) return { ...row, error: { ...row.error, message: String(error['message']) } }
  return row.output === undefined ? row : { ...row, output }
}

/** A recorded value with literals in place of its stand-ins, where the other value has the literals' stand-ins. */
function withLiterals(expected: unknown, received: unknown, literals: Literals): unknown {
  if (typeof expected === 'string' && typeof received === 'string') return textWithLiterals(expected, received, literals)
  if (typeof expected === 'number' && typeof received === 'number') {
    return Number(textWithLiterals(String(expected), String(received), literals))
  }
  if (Array.isArray(expected) && Array.isArray(received))
    return expected.map((item, index) => withLiterals(item, received[index], literals))
  if (!isFields(expected) || !isFields(received)) return expected
  const [mine, theirs] = [bytesOf(expected), bytesOf(received)]
  if (mine !== undefined && theirs !== undefined) {
    return { $: { bytes: Buffer.from(textWithLiterals(mine, theirs, literals), 'latin1').toString('base64') } }
  }
  return Object.fromEntries(
    Object.entries(expected).map(([name, field]) => [name, withLiterals(field, ownField(received, name), literals)]),
  )
}

function textWithLiterals(expected: string, received: string, { literals, sides }: Literals): string {
  const [mine, theirs] = [sides.recorded.find(expected), sides.live.find(received)]
  if (mine.length !== theirs.length) return expected
  const kept = mine.flatMap((standIn, index) => {
    const live = theirs[index]
    const text = live === undefined ? undefined : literals.get(received.slice(live.start, live.end))
    return text === undefined ? [] : [{ start: standIn.start, end: standIn.end, text }]
  })
  return applyEdits(expected, kept)
}

/** Bytes in recorded form, one character per byte. */
function bytesOf(value: Readonly<Record<string, unknown>>): string | undefined {
  const stands = isReserved(value) ? value['$'] : undefined
  if (!isFields(stands) || typeof stands['bytes'] !== 'string' || 'as' in stands) return undefined
  return Buffer.from(stands['bytes'], 'base64').toString('latin1')
}
