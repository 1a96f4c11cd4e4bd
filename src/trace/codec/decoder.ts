import { fromBase64 } from '../base64.ts'
import type { CheckedRow } from '../check-row.ts'
import { TraceFormatError } from '../errors/trace-format-error.ts'
import { TraceVersionError } from '../errors/trace-version-error.ts'
import { isDeeperThan, isJsonObject, type Json, omitUndefined } from '../json.ts'
import { createRowOrder } from '../row-order.ts'
import { FORMAT_VERSION, type HeaderPairs, type RecordedError, type Row } from '../rows.ts'
import { MAX_JSON_DEPTH } from '../value-reader.ts'
import type { EncodedChunk, EncodedError, EncodedHead, EncodedRow } from './encoded-rows.ts'
import { decodeError } from './error-codec.ts'
import { decodeReads } from './reads-codec.ts'
import { type EarlierValues, ReferenceReader } from './reference-reader.ts'
import { decodeRun } from './run-codec.ts'
import { createStreamDecoder } from './stream-decoder.ts'

/** Where a decoder reads. */
export interface DecoderOptions {
  /** The file's name in messages. Default `the trace`. */
  readonly file?: string
  /**
   * Set when reading starts after a place at which the encoder forgot what it had written: the number of checkpoints before it. Rows may then belong
   * to steps whose call the decoder has not seen. Default: reading starts at the first line.
   */
  readonly after?: { readonly checkpoints: number }
}

/** Checks a parsed line of a trace: all its fields, but not yet its references. */
export type RowCheck = (json: Json) => CheckedRow

/** Reads the lines of one trace as rows. */
export interface Decoder {
  /**
   * Returns the row of a line; undefined for a text row and for a blank line. Rows share the values of texts and must not be changed (see
   * `copyValue`). Throws a `TraceFormatError` for a line that is not a row or is out of place, and a `TraceVersionError` for a trace of a newer
   * format.
   */
  decode(line: string): Row | undefined
}

/** Creates a decoder for one trace that checks each row before reading it. */
export function createDecoder(checkRow: RowCheck, { file = 'the trace', after }: DecoderOptions = {}): Decoder {
  const misplaced = after === undefined ? createRowOrder() : undefined
  const read = createRowReader(after?.checkpoints ?? 0)
  let line = 0
  let golden = false

  const decodeLine = (text: string): Row | undefined => {
    const json = parse(text)
    refuseNewer(json, file)
    const { row: encoded, fault } = checkRow(json)
    if (fault !== undefined) throw new TraceFormatError(fault)
    if (encoded.kind === 'run' && encoded.golden !== undefined) golden = true
    const row = read(encoded, isPlain(text))
    const misplacement = misplaced?.(row ?? { kind: 'text' })
    if (misplacement !== undefined) throw new TraceFormatError(misplacement)
    return row
  }

  return {
    decode(text) {
      line++
      if (text.trim() === '') return undefined
      try {
        return decodeLine(text)
      } catch (error) {
        throw located(error, file, line, golden)
      }
    },
  }
}

/**
 * Returns what to do about a trace that cannot be read. Only goldens are in version control, whether or not their header still says that they are
 * goldens.
 */
export function adviceFor(golden: boolean, file = ''): string {
  const isGolden = golden || /(?:^|[\\/])golden-traces[\\/]/.test(file)
  return `The file was edited by hand or damaged: restore it from ${isGolden ? 'version control, or promote' : 'a backup, or record'} the run again.`
}

const NOTHING_EARLIER: EarlierValues = new Map()

/** Decodes checked rows for the program, and stores text rows for later rows to refer to. */
function createRowReader(checkpointsBefore: number): (row: EncodedRow, isPlain: boolean) => Row | undefined {
  const references = new ReferenceReader()
  const inputs = new Map<number, unknown>()
  const outputs = new Map<number, unknown>()
  const states = new Map<number, unknown>()
  const streams = createStreamDecoder(references)

  return (row, isPlainRow) => {
    const read = (json: Json, field: string, earlier: EarlierValues = NOTHING_EARLIER): unknown =>
      isPlainRow ? json : references.read(json, field, earlier)
    const keep = (values: Map<number, unknown>, number: number, json: Json, field: string): unknown => {
      const value = read(json, field, values)
      values.set(number, value)
      return value
    }
    const readError = (error: EncodedError): RecordedError => decodeError(error, read)
    switch (row.kind) {
      case 'text':
        references.store(row.ref, row.value, isPlainRow)
        return undefined
      case 'run':
        return decodeRun(row, read)
      case 'call':
        return {
          ...row,
          input: keep(inputs, row.step, row.input, 'input'),
          ...(row.agentInput === undefined ? {} : { agentInput: read(row.agentInput, 'agentInput') }),
        }
      case 'head':
        return { ...row, headers: readHeaders(row.headers, (json) => read(json, 'headers')) }
      case 'chunk':
        return readChunk(row, (text) => streams.decode(row.step, text))
      case 'return': {
        streams.end(row.step)
        const { output, ...rest } = row
        return output === undefined ? rest : { ...rest, output: keep(outputs, row.step, output, 'output') }
      }
      case 'throw':
        streams.end(row.step)
        return { ...row, error: readError(row.error) }
      case 'reads':
        return decodeReads(row)
      case 'signal': {
        const { value, ...rest } = row
        return value === undefined ? rest : { ...rest, value: read(value, 'value') }
      }
      case 'preamble':
        return { ...row, value: read(row.value, 'value') }
      case 'checkpoint':
        return { ...row, state: keep(states, checkpointsBefore + states.size + 1, row.state, 'state') }
      case 'end': {
        const { output, error, ...rest } = row
        return {
          ...rest,
          ...(output === undefined ? {} : { output: read(output, 'output') }),
          ...(error === undefined ? {} : { error: readError(error) }),
        }
      }
      case 'timer':
      case 'note':
      case 'closed':
        return row
    }
  }
}

function readHeaders(headers: EncodedHead['headers'], read: (json: Json) => unknown): HeaderPairs {
  if (!('$' in headers)) return headers
  const pairs = read({ $: headers.$ })
  if (Array.isArray(pairs) && pairs.every(isHeaderPair)) return pairs
  throw new TraceFormatError({
    problem: `"headers" of a head row refers to ${headers.$}, which does not hold pairs of name and value`,
    field: 'headers',
  })
}

function isHeaderPair(pair: unknown): pair is readonly [string, string] {
  return Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string' && typeof pair[1] === 'string'
}

/** Reads a chunk, which has `text`, `bytes` or neither. */
function readChunk(row: EncodedChunk, decodeText: (text: NonNullable<EncodedChunk['text']>) => string): Row {
  const { text, bytes } = row
  if (text !== undefined) return { ...(row as Omit<EncodedChunk, 'bytes'>), text: decodeText(text) }
  if (bytes !== undefined) return { ...(row as Omit<EncodedChunk, 'text'>), bytes: fromBase64(bytes) }
  return row as Omit<EncodedChunk, 'text' | 'bytes'>
}

function parse(text: string): Json {
  let json: Json
  try {
    json = JSON.parse(text) as Json
  } catch (error) {
    throw new TraceFormatError({ problem: 'the line is not valid JSON' }, { cause: error })
  }
  // Shorter lines cannot contain that many brackets.
  if (text.length > 2 * MAX_JSON_DEPTH && isDeeperThan(json, MAX_JSON_DEPTH)) {
    throw new TraceFormatError({ problem: `the row is nested deeper than ${MAX_JSON_DEPTH} levels` })
  }
  return json
}

/** Refuses a newer format before checking anything else. */
function refuseNewer(json: Json, file: string): void {
  if (!isJsonObject(json) || json['kind'] !== 'run') return
  const format = json['format']
  if (typeof format === 'number' && format > FORMAT_VERSION) throw new TraceVersionError(file, format)
}

/** Returns whether a line contains no `$` object, so that its values need no decoding. */
function isPlain(text: string): boolean {
  return !text.includes('"$"') && !text.includes('\\u0024')
}

function located(error: unknown, file: string, line: number, golden: boolean): unknown {
  if (TraceVersionError.isInstance(error)) return error
  const advice = adviceFor(golden, file)
  if (!TraceFormatError.isInstance(error)) {
    const reason = error instanceof Error ? error.message : String(error)
    return new TraceFormatError({ problem: `the row cannot be read (${reason})`, file, line, advice }, { cause: error })
  }
  const { problem, field, cause } = error
  return new TraceFormatError({ problem, ...omitUndefined({ field }), file, line, advice }, omitUndefined({ cause }))
}
