import { bodyOfChunks, headerOf } from './assemble.ts'
import { bytesOfBody, textFromBytes } from './body.ts'
import { isInformational, withReceivedDigests } from './http-head.ts'
import { omitUndefined } from './json.ts'
import type { ChunkRow, HeadRow, HttpBody, HttpOutput, ReturnRow, Row } from './rows.ts'

/**
 * Converts a recording's rows to a golden's. An HTTP answer whose head, chunks and end fell in one tick, with nothing in between, becomes one
 * `return` row with status, headers and body. If the answer took longer but is JSON, its chunks keep only their lengths, and the `return` row holds
 * the whole body. Event streams, and answers that the agent cut short, stay as they came; their chunks share templates. The steps of the trace do not
 * change.
 */
export function toGoldenRows(rows: readonly Row[]): Row[] {
  const answers = findAnswers(rows)
  return rows.flatMap((row, index): Row[] => {
    // Concerns the disk on that day, not the run.
    if (row.kind === 'note' && row.what === 'unwritten-call') return []
    if (row.kind !== 'head' && row.kind !== 'chunk' && row.kind !== 'return') return [row]
    if (row.kind === 'head' && isInformational(row.status)) return [row]
    const answer = answers.get(row.step)
    if (answer === undefined || answer.form === 'stream') return [row]
    if (answer.form === 'at-once') return index === answer.settledIndex ? [mergeAnswer(answer)] : []
    if (row.kind === 'chunk') return [measureChunk(row)]
    return [row.kind === 'return' ? withBody(row, answer.body) : row]
  })
}

/** Converts a golden's rows back: bodies that `return` rows hold whole are divided among their chunks again. */
export function toPieces(rows: readonly Row[]): Row[] {
  const bodies = new Map<number, Uint8Array>()
  const isMeasured = new Set(rows.flatMap((row) => (row.kind === 'chunk' && row.length !== undefined ? [row.step] : [])))
  for (const row of rows) if (row.kind === 'return' && isMeasured.has(row.step)) bodies.set(row.step, bytesOfBody(row.output ?? {}))
  return rows.map((row): Row => {
    const body = 'step' in row ? bodies.get(row.step) : undefined
    if (body === undefined) return row
    if (row.kind === 'return') return withoutBody(row)
    if (row.kind !== 'chunk' || row.length === undefined) return row
    const { length, ...chunk } = row
    const bytes = body.slice(0, length)
    bodies.set(row.step, body.subarray(length))
    const text = textFromBytes(bytes)
    return text === undefined ? { ...chunk, bytes } : { ...chunk, text }
  })
}

interface Answer {
  readonly head: HeadRow
  readonly chunks: readonly ChunkRow[]
  readonly settled: ReturnRow
  readonly settledIndex: number
  readonly body: HttpBody
  /** `at-once`: fell in one tick. `whole`: is kept as one body. `stream`: stays as it came. */
  readonly form: 'at-once' | 'whole' | 'stream'
}

function findAnswers(rows: readonly Row[]): Map<number, Answer> {
  const open = new Map<number, { head: HeadRow; headIndex: number; chunks: ChunkRow[] }>()
  const answers = new Map<number, Answer>()
  rows.forEach((row, index) => {
    if (row.kind === 'head' && !isInformational(row.status)) open.set(row.step, { head: row, headIndex: index, chunks: [] })
    if (row.kind === 'chunk') open.get(row.step)?.chunks.push(row)
    if (row.kind !== 'return' || row.by !== undefined) return
    const started = open.get(row.step)
    if (started === undefined) return
    const { head, headIndex, chunks } = started
    const contentType = headerOf(head.headers, 'content-type')
    const body = chunks.length === 0 || chunks.some((chunk) => chunk.length !== undefined) ? {} : bodyOfChunks(chunks, contentType)
    const isContiguous = index - headIndex === chunks.length + 1
    const isOneTick = isContiguous && [...chunks, row].every((part) => part.sameTick === true)
    const isEventStream = /event-stream/i.test(contentType ?? '')
    // Bytes that do not match the head, and an encoding of an empty body, are visible in the chunks only.
    const needsChunks = chunks.some((chunk) => chunk.encoded !== undefined) || (chunks.length > 0 && Object.keys(body).length === 0)
    const form = isOneTick && !isEventStream && !needsChunks ? 'at-once' : body.json === undefined || needsChunks ? 'stream' : 'whole'
    answers.set(row.step, { head, chunks, settled: row, settledIndex: index, body, form })
  })
  return answers
}

function mergeAnswer({ head, settled, body }: Answer): ReturnRow {
  const { kind, step, at, sync, outlasted, output } = settled
  const given: HttpOutput = typeof output === 'object' && output !== null ? output : {}
  const { received: _, ...rest } = given
  const { status, statusText, version, headers, leftOut, digests, url } = withReceivedDigests(head, given)
  const merged: HttpOutput = { ...omitUndefined({ status, statusText, version, headers, leftOut, digests, url }), ...rest, ...body }
  const { sameTick, sameTurn, turns, connection } = head
  return { kind, step, at, ...omitUndefined({ sameTick, sameTurn, turns, sync, outlasted, connection }), output: merged }
}

function measureChunk({ text, bytes, ...chunk }: ChunkRow): ChunkRow {
  const length = bytesOfBody(omitUndefined({ text, bytes })).length
  return text === undefined && bytes === undefined ? chunk : { ...chunk, length }
}

function withoutBody(row: ReturnRow): ReturnRow {
  const { output, ...rest } = row
  const { json: _, text: __, bytes: ___, ...left } = (output ?? {}) as HttpOutput
  return Object.keys(left).length === 0 ? rest : { ...rest, output: left }
}

function withBody(row: ReturnRow, body: HttpBody): ReturnRow {
  const given: HttpOutput = typeof row.output === 'object' && row.output !== null ? row.output : {}
  const output: HttpOutput = { ...given, ...body }
  return { ...row, output }
}
