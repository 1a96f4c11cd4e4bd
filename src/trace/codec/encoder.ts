import { toBase64 } from '../base64.ts'
import type { Json } from '../json.ts'
import type { HeaderPairs } from '../http-facts.ts'
import type { CallRow, Row } from '../rows.ts'
import type { Trace } from '../trace.ts'
import { type WriteOptions, writeValue } from '../value-writer.ts'
import type { EncodedHead, EncodedRow } from './encoded-rows.ts'
import { encodeError } from './error-codec.ts'
import { createHeadEncoder } from './head-codec.ts'
import { encodeReads } from './reads-codec.ts'
import { encodeRun } from './run-codec.ts'
import { createStreamEncoder } from './stream-encoder.ts'
import { isSmall, TextStore } from './texts.ts'
import { createValueEncoder } from './value-encoder.ts'

/** The options of an encoder. */
export interface EncoderOptions {
  /**
   * Called for each value that cannot be kept, with its owner (`input of step 3`, `state of checkpoint "order-found"`), its path in the owner
   * (`$.client`) and the reason (`an event emitter`).
   */
  readonly onUnkept?: (where: string, path: string, why: string) => void
  /** Whether a stream event is written as its difference from an event of the same shape: smaller and easier to read, but slower. Default: true. */
  readonly byTemplates?: boolean
}

/** Writes the rows of one trace as lines. */
export interface Encoder {
  /**
   * Returns the lines of a row, without line breaks: first the new text rows that it refers to, then the row itself. A row's values are read now, so
   * the agent's later changes to them are not in the trace.
   */
  encode(row: Row): string[]
  /** Makes everything that follows readable without the lines before it, except for the calls under way. */
  forget(): void
}

/** Encodes a trace as the text of a file. */
export function encodeTrace({ rows }: Pick<Trace, 'rows'>): string {
  const encoder = createEncoder()
  return `${rows.flatMap((row) => encoder.encode(row)).join('\n')}\n`
}

/** Creates an encoder for one trace, from its first row on. It keeps the texts that it has written, and the latest state of each conversation. */
export function createEncoder({ onUnkept, byTemplates = true }: EncoderOptions = {}): Encoder {
  const texts = new TextStore()
  const values = createValueEncoder(texts)
  const streams = createStreamEncoder(texts)
  const heads = createHeadEncoder()
  const calls = new Map<number, { name: string; http: boolean }>()
  let checkpoints = 0
  /** A rebased golden keeps its format, and earlier formats have no such heads. */
  let likensHeads = true

  const report = (where: string): WriteOptions => ({ onUnkept: onUnkept && ((path, why) => onUnkept(where, path, why)) })
  /** Encodes a value that occurs once in a trace and continues no other. */
  const encodeSingle = (value: unknown, where: string): Json => texts.place(JSON.stringify(writeValue(value, report(where)).json))

  const encodeCall = (row: CallRow): Json => {
    const http = row.boundary === 'model' || row.boundary === 'http'
    const name = `${row.boundary} ${JSON.stringify(row.name)}`
    calls.set(row.step, { name, http })
    return values.encode(row.input, { field: 'input', name, number: row.step, http, ...report(`input of step ${row.step}`) })
  }

  const encodeOutput = (step: number, output: unknown): Json => {
    const { name, http } = calls.get(step) ?? { name: '', http: false }
    return values.encode(output, { field: 'output', name, number: step, http, ...report(`output of step ${step}`) })
  }

  const placeHeaders = (headers: HeaderPairs): EncodedHead['headers'] => {
    const json = JSON.stringify(headers)
    return isSmall(json) ? headers : { $: texts.refer(json) }
  }

  const settle = (step: number): void => {
    calls.delete(step)
    streams.end(step)
  }

  /** Fields in the order of the file; undefined fields are not printed. */
  const encodeRow = (row: Row): Unprinted<EncodedRow> => {
    switch (row.kind) {
      case 'run':
        likensHeads = row.format > 2
        return encodeRun(row, (value, where) => writeValue(value, report(where)).json)
      case 'call': {
        const { kind, step, owner, boundary, name, effect, idempotencyKey, attempt, limit, cut, credentials, client, at } = row
        const input = encodeCall(row)
        const agentInput = row.agentInput === undefined ? undefined : encodeSingle(row.agentInput, `agent's input of step ${step}`)
        return {
          kind,
          step,
          owner,
          boundary,
          name,
          effect,
          idempotencyKey,
          attempt,
          limit,
          cut,
          input,
          agentInput,
          credentials,
          client,
          at,
        }
      }
      case 'head': {
        const { kind, step, at, sameTick, sameTurn, turns, status, statusText, version, leftOut, digests, url, connection } = row
        const like = likensHeads ? heads.encode(row) : undefined
        if (like !== undefined)
          return { kind, step, at, sameTick, sameTurn, turns, status, statusText, version, headers: like, url, connection }
        const headers = placeHeaders(row.headers)
        return { kind, step, at, sameTick, sameTurn, turns, status, statusText, version, headers, leftOut, digests, url, connection }
      }
      case 'chunk': {
        const { kind, step, at, sameTick, sameTurn, turns, text, bytes, length, encoded, stream } = row
        const written = text && byTemplates ? streams.encode(step, text) : text
        return { kind, step, at, sameTick, sameTurn, turns, text: written, bytes: bytes && toBase64(bytes), length, encoded, stream }
      }
      case 'return': {
        const { kind, step, at, sameTick, sameTurn, turns, by, sync, inTurn, outlasted, connection } = row
        const output = row.output === undefined ? {} : { output: encodeOutput(step, row.output) }
        settle(step)
        return { kind, step, at, sameTick, sameTurn, turns, by, sync, inTurn, outlasted, connection, ...output }
      }
      case 'throw': {
        const { kind, step, at, sameTick, sameTurn, turns, by, sync, inTurn, outlasted, connection } = row
        const error = encodeError(row.error, (value) => encodeSingle(value, `error of step ${step}`))
        settle(step)
        return { kind, step, at, sameTick, sameTurn, turns, by, sync, inTurn, outlasted, connection, error }
      }
      case 'timer': {
        const { kind, owner, set, delay, occurrence, at, sameTick, sameTurn, turns } = row
        return { kind, owner, set, delay, occurrence, at, sameTick, sameTurn, turns }
      }
      case 'reads':
        return encodeReads(row)
      case 'signal': {
        const { kind, name, value, at, sameTick, sameTurn, turns } = row
        const encoded = value === undefined ? {} : { value: encodeSingle(value, `value of signal ${JSON.stringify(name)}`) }
        return { kind, name, ...encoded, at, sameTick, sameTurn, turns }
      }
      case 'preamble':
        return { kind: row.kind, value: encodeSingle(row.value, 'value of a preamble'), at: row.at }
      case 'stand-in':
        return { kind: row.kind, of: row.of, text: row.text, ...(row.variables && { variables: row.variables }) }
      case 'checkpoint': {
        const { kind, owner, name, by, at } = row
        // A checkpoint by policy continues the previous one, whatever its name.
        const slot = {
          field: 'state',
          name: by ?? JSON.stringify(name),
          number: ++checkpoints,
          http: false,
          byFields: by === 'policy',
        } as const
        const state = values.encode(row.state, { ...slot, ...report(`state of checkpoint ${JSON.stringify(name)}`) })
        return { kind, owner, name, by, state, at }
      }
      case 'note':
        return { kind: row.kind, what: row.what, where: row.where, at: row.at }
      case 'end': {
        const { kind, at, usage, overdue, given } = row
        const output = row.output === undefined ? {} : { output: encodeSingle(row.output, 'output of the run') }
        const error = row.error === undefined ? {} : { error: encodeError(row.error, (value) => encodeSingle(value, 'error of the run')) }
        return { kind, ...output, ...error, at, usage, overdue, given }
      }
      case 'closed':
        return { kind: row.kind, until: row.until, by: row.by, overdue: row.overdue, turns: row.turns, muted: row.muted }
    }
  }

  return {
    encode(row) {
      // The row comes first: encoding it creates the texts.
      const line = JSON.stringify(encodeRow(row))
      return [...texts.drain(), line]
    },
    forget() {
      texts.forget()
      values.forget()
      streams.forget()
      heads.forget()
    },
  }
}

/** An object whose fields may be present and undefined. */
type Unprinted<Encoded> = Encoded extends unknown ? { readonly [Key in keyof Encoded]: Encoded[Key] | undefined } : never
