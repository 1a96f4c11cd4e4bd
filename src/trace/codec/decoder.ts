import type { TraceCheck, ValueForm } from '../trace-check.ts'
import { TraceFormatError } from '../errors/trace-format-error.ts'
import { TraceLimitError } from '../errors/trace-limit-error.ts'
import { TraceVersionError } from '../errors/trace-version-error.ts'
import { isInformational } from '../http-head.ts'
import { isDeeperThan, isJsonObject, type Json, omitUndefined, type PathKey } from '../json.ts'
import type { Boundary } from '../boundary.ts'
import { defaultReadLimits, type ReadLimits } from '../read-limits.ts'
import { createRowOrder } from '../row-order.ts'
import { type AmbientAnswer, ambientSignal, type RunRow } from '../run-row.ts'
import { FORMAT_VERSION, type HeadRow, type RecordedError, type Row } from '../rows.ts'
import { MAX_JSON_DEPTH } from '../value-reader.ts'
import { decodeChunk } from './chunk-codec.ts'
import type { EncodedError, EncodedRow, EncodedRun } from './encoded-rows.ts'
import { decodeError } from './error-codec.ts'
import { readHead } from './read-head.ts'
import { decodeReads } from './reads-codec.ts'
import { type EarlierValues, ReferenceReader } from './reference-reader.ts'
import { ReferenceBudget } from './reference-budget.ts'
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
  /** Default: the defaults. */
  readonly limits?: Required<ReadLimits>
  /** The characters of the whole trace. Default: unknown, as 0. */
  readonly size?: number
}

/** Reads the lines of one trace as rows. */
export interface Decoder {
  /**
   * Returns the row of a line; undefined for a text row and for a blank line. Rows share the values of texts and must not be changed (see
   * `copyValue`). Throws a `TraceFormatError` for a line that is not a row or is out of place, and a `TraceVersionError` for a trace of a newer
   * format.
   */
  decode(line: string): Row | undefined
  /** What its references have taken in memory so far, in bytes. */
  readonly taken: number
}

/** Creates a decoder for one trace that checks each row before reading it, and each value in it once it is read. */
export function createDecoder(
  check: TraceCheck,
  { file = 'the trace', after, limits = defaultReadLimits, size }: DecoderOptions = {},
): Decoder {
  const misplaced = after === undefined ? createRowOrder() : undefined
  const budget = new ReferenceBudget(limits, size)
  const read = createRowReader(after?.checkpoints ?? 0, check, budget)
  let line = 0
  let golden = false

  const decodeLine = (text: string): Row | undefined => {
    budget.checkText(text.length, 'the row')
    const json = parse(text)
    refuseNewer(json, file)
    const { row: encoded, fault } = check.row(json)
    if (fault !== undefined) throw new TraceFormatError(fault)
    if (encoded.kind === 'run' && encoded.golden !== undefined) golden = true
    const row = read(encoded, isPlain(text), text.length)
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
    get taken() {
      return budget.taken
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
function createRowReader(
  checkpointsBefore: number,
  check: TraceCheck,
  budget: ReferenceBudget,
): (row: EncodedRow, isPlain: boolean, length: number) => Row | undefined {
  const references = new ReferenceReader(budget)
  const inputs = new Map<number, unknown>()
  const outputs = new Map<number, unknown>()
  const states = new Map<number, unknown>()
  const streams = createStreamDecoder(references)
  const heads = new Map<number, HeadRow>()
  const exchanges = new Set<number>()
  const keepHead = (head: HeadRow): HeadRow => {
    if (!isInformational(head.status)) heads.set(head.step, head)
    return head
  }

  return (row, isPlainRow, length) => {
    const read = (json: Json, field: string, earlier: EarlierValues = NOTHING_EARLIER, jsonIn?: string): unknown =>
      isPlainRow ? json : references.read(json, field, earlier, jsonIn)
    const keep = (values: Map<number, unknown>, number: number, json: Json, field: string, jsonIn?: string): unknown => {
      const value = read(json, field, values, jsonIn)
      values.set(number, value)
      return value
    }
    const checkForm = (form: ValueForm, value: unknown, ...keys: readonly PathKey[]): void => {
      const fault = check.value(form, value, keys, row.kind)
      if (fault !== undefined) throw new TraceFormatError(fault)
    }
    const checkAnswer = ({ boundary, input, output }: AmbientAnswer, ...keys: readonly PathKey[]): void => {
      if (!isExchange(boundary)) return
      checkForm('httpInput', input, ...keys, 'input')
      checkForm('httpOutput', output, ...keys, 'output')
    }
    const readError = (error: EncodedError): RecordedError => decodeError(error, read)
    switch (row.kind) {
      case 'text':
        references.store(row.ref, row.value, isPlainRow, length)
        return undefined
      case 'run':
        return readRun(row, read, checkAnswer)
      case 'call': {
        const jsonIn = isExchange(row.boundary) ? 'json' : undefined
        const input = keep(inputs, row.step, row.input, 'input', jsonIn)
        const agentInput = row.agentInput === undefined ? undefined : read(row.agentInput, 'agentInput', NOTHING_EARLIER, jsonIn)
        if (jsonIn !== undefined) {
          exchanges.add(row.step)
          checkForm('httpInput', input, 'input')
          if (row.agentInput !== undefined) checkForm('httpInput', agentInput, 'agentInput')
        }
        return { ...row, input, ...(row.agentInput === undefined ? {} : { agentInput }) }
      }
      case 'head':
        return keepHead(
          readHead(row, heads, {
            read: (json) => read(json, 'headers'),
            check: (pairs) => checkForm('headers', pairs, 'headers'),
            take: (bytes) => budget.take(bytes),
          }),
        )
      case 'chunk':
        return decodeChunk(row, (text) => streams.decode(row.step, text), checkForm)
      case 'return': {
        streams.end(row.step)
        const { output: json, ...rest } = row
        if (json === undefined) return rest
        const isOfExchange = exchanges.has(row.step)
        const output = keep(outputs, row.step, json, 'output', isOfExchange ? 'json' : undefined)
        if (isOfExchange) checkForm('httpOutput', output, 'output')
        return { ...rest, output }
      }
      case 'throw':
        streams.end(row.step)
        return { ...row, error: readError(row.error) }
      case 'reads':
        return decodeReads(row)
      case 'signal': {
        const { value: json, ...rest } = row
        const value = json === undefined ? undefined : read(json, 'value')
        if (row.name === ambientSignal) {
          checkForm('ambientAnswer', value, 'value')
          checkAnswer(value as AmbientAnswer, 'value')
        }
        return json === undefined ? rest : { ...rest, value }
      }
      case 'preamble': {
        const value = read(row.value, 'value')
        checkForm('preamble', value, 'value')
        return { ...row, value }
      }
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
      case 'stand-in':
      case 'note':
      case 'closed':
        return row
    }
  }
}

type ReadField = (json: Json, field: string) => unknown

function readRun(row: EncodedRun, read: ReadField, checkAnswer: (answer: AmbientAnswer, ...keys: readonly PathKey[]) => void): RunRow {
  const header = decodeRun(row, read)
  header.ambient?.answers.forEach((answer, index) => checkAnswer(answer, 'ambient', 'answers', index))
  return header
}

/** Returns whether a step is an exchange over HTTP. */
function isExchange(boundary: Boundary): boolean {
  return boundary === 'model' || boundary === 'http'
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
  if (TraceLimitError.isInstance(error)) return new TraceLimitError({ ...error.fault, file, line })
  const advice = adviceFor(golden, file)
  if (!TraceFormatError.isInstance(error)) {
    const reason = error instanceof Error ? error.message : String(error)
    return new TraceFormatError({ problem: `the row cannot be read (${reason})`, file, line, advice }, { cause: error })
  }
  const { problem, field, cause } = error
  return new TraceFormatError({ problem, ...omitUndefined({ field }), file, line, advice }, omitUndefined({ cause }))
}
