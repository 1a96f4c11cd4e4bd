import { ambientSteps } from './ambient-steps.ts'
import { bodyFromBytes, bodyFromText, bytesOfBody, concatBytes } from './body.ts'
import { TraceFormatError } from './errors/trace-format-error.ts'
import { traceHash, type Digest, type HashedCheckpoint, type HashedSettling, type HashParts } from './hash.ts'
import { isInformational, withReceivedDigests } from './http-head.ts'
import { omitUndefined } from './json.ts'
import type { HeaderPairs } from './http-facts.ts'
import type { CallRow, ChunkRow, HeadRow, HttpBody, HttpOutput, ReturnRow, Row, ThrowRow, Usage } from './rows.ts'
import { atOnce, Slices } from './slices.ts'
import type { Step, Trace } from './trace.ts'

/** The rows of one step. */
export interface StepRows {
  readonly call: CallRow
  head?: HeadRow
  readonly chunks: ChunkRow[]
  settling?: ReturnRow | ThrowRow
}

/**
 * Builds a trace from its rows: steps with their outcomes, checkpoints, the end. The hash is computed on first use. Throws a `TraceFormatError` if
 * the first row is not the header.
 */
export function assembleTrace(rows: readonly Row[], digest: Digest): Trace {
  return atOnce(assembling(rows, digest))
}

/** Like `assembleTrace`, in slices. */
export function* assembling(rows: readonly Row[], digest: Digest): Generator<undefined, Trace> {
  const header = rows[0]
  if (header?.kind !== 'run') {
    throw new TraceFormatError({
      problem: `the first row has to be the run row, got ${header === undefined ? 'none' : `a ${header.kind} row`}`,
    })
  }
  const steps = yield* assemblingSteps(rows)
  const every = rows.filter((row) => row.kind === 'checkpoint')
  const checkpoints = every.filter(({ by }) => by === undefined)
  const policyCheckpoints = every.filter(({ by }) => by === 'policy')
  const end = rows.findLast((row) => row.kind === 'end')
  const watchedUntil = rows.findLast((row) => row.kind === 'closed')?.until
  const trace = { header, rows, steps, checkpoints, policyCheckpoints, ...omitUndefined({ end, watchedUntil }) }
  let hash: string | undefined
  return {
    ...trace,
    get hash() {
      hash ??= traceHash(toHashParts(trace), digest)
      return hash
    },
  }
}

/** Returns a trace with its usage in the `end` row. The hash stays the same, because usage is not part of it. */
export function withUsageAtEnd(trace: Trace, usage: Usage): Trace {
  const end = trace.end && { ...trace.end, usage }
  const { header, steps, checkpoints, policyCheckpoints, watchedUntil } = trace
  const rows = trace.rows.map((row) => (row === trace.end && end !== undefined ? end : row))
  return {
    header,
    rows,
    steps,
    checkpoints,
    policyCheckpoints,
    ...omitUndefined({ end, watchedUntil }),
    get hash() {
      return trace.hash
    },
  }
}

/** Returns the parts of a trace that its hash covers. */
export function toHashParts(trace: Pick<Trace, 'header' | 'rows' | 'steps' | 'end'>): HashParts {
  const { header, rows, end } = trace
  // Whether a process makes its ambient calls in this run or made them in an earlier one says nothing about the run.
  const ambient = ambientSteps(trace.steps, header.ambient?.names ?? [], header)
  const steps = trace.steps.filter((step) => !ambient.has(step) && !isSessionStep(step))
  const byNumber = new Map(steps.map((step) => [step.step, step]))
  const settled: HashedSettling[] = []
  const late = leftAfterEnd(rows)
  const checkpoints: HashedCheckpoint[] = []
  const settledOf = new Map<number, number>()
  for (const row of rows) {
    if (row.kind === 'checkpoint' && row.by === undefined) {
      const { owner, name, state } = row
      checkpoints.push({ owner, name, state, settled: settledOf.get(owner) ?? 0 })
    }
    if ((row.kind !== 'throw' && row.kind !== 'return') || !byNumber.has(row.step)) continue
    const owner = byNumber.get(row.step)?.owner ?? 0
    settledOf.set(owner, (settledOf.get(owner) ?? 0) + 1)
    if (late.has(row.step)) continue
    if (row.kind === 'throw') settled.push({ step: row.step, error: row.error })
    if (row.kind === 'return') settled.push({ step: row.step, output: byNumber.get(row.step)?.output })
  }
  const outcome = end === undefined ? undefined : end.error === undefined ? { output: end.output } : { error: end.error }
  return { steps, settled, checkpoints, ...omitUndefined({ outcome }) }
}

/** Returns whether a step is the process of a session, which may be opened once for many runs: by this run or an earlier one. */
export function isSessionStep({ output }: Pick<Step, 'output'>): boolean {
  return typeof output === 'object' && output !== null && Reflect.get(output, 'session') === 'mcp'
}

/**
 * Returns the steps whose answers the agent abandoned after the run's end. Whether a client releases an answer before or after the end is up to the
 * client.
 */
export function leftAfterEnd(rows: readonly Row[]): Set<number> {
  const end = rows.findLastIndex(({ kind }) => kind === 'end')
  if (end === -1) return new Set()
  return new Set(
    rows.slice(end).flatMap((row) => ((row.kind === 'return' || row.kind === 'throw') && row.by === 'agent' ? [row.step] : [])),
  )
}

/** Builds a step from its rows. */
export function assembleStep({ call, head, chunks, settling }: StepRows): Step {
  const { step: number, owner, boundary, name, effect, idempotencyKey, attempt, credentials, client, input, at } = call
  const step: Step = {
    step: number,
    owner,
    boundary,
    name,
    ...omitUndefined({ effect, idempotencyKey, attempt, credentials, client }),
    input,
    at,
  }
  if (settling === undefined) {
    if (head !== undefined) return { ...step, output: assembleOutput(head, chunks, undefined) }
    return chunks.length === 0 ? step : { ...step, output: withStreams(undefined, chunks) }
  }
  const settledAt = settling.at
  if (settling.kind === 'throw') return { ...step, error: settling.error, settledAt }
  const isHttp = call.boundary === 'model' || call.boundary === 'http'
  const output = isHttp ? assembleOutput(head, chunks, settling.output) : withStreams(settling.output, chunks)
  return { ...step, ...(output === undefined ? {} : { output }), settledAt }
}

/** Returns how a child process ended, with its complete output by stream. */
function withStreams(ended: unknown, chunks: readonly ChunkRow[]): unknown {
  if (chunks.length === 0) return ended
  const streams = Map.groupBy(chunks, ({ stream = 'stdout' }) => stream)
  for (const event of ['exit', 'end', 'disconnect']) streams.delete(event)
  const output = [...streams].map(([stream, parts]) => {
    const { json, text, bytes } = bodyOfChunks(parts, undefined)
    return [stream, json ?? text ?? bytes ?? ''] as const
  })
  return { ...(ended as object | undefined), ...Object.fromEntries(output) }
}

/** Returns the body that a step's chunks form, in the format of `bodyFromBytes`. */
export function bodyOfChunks(chunks: readonly ChunkRow[], contentType: string | undefined): HttpBody {
  if (chunks.every((chunk) => chunk.bytes === undefined)) return bodyFromText(chunks.map((chunk) => chunk.text ?? '').join(''), contentType)
  return bodyFromBytes(concatBytes(chunks.map(bytesOfBody)), contentType)
}

/** Returns the value of a header, by its lower-case name. */
export function headerOf(headers: HeaderPairs | undefined, name: string): string | undefined {
  return headers?.find((pair) => pair[0].toLowerCase() === name)?.[1]
}

function* assemblingSteps(rows: readonly Row[]): Generator<undefined, Step[]> {
  const parts = new Map<number, StepRows>()
  for (const row of rows) {
    if (row.kind === 'call') parts.set(row.step, { call: row, chunks: [] })
    const step = 'step' in row ? parts.get(row.step) : undefined
    if (step === undefined) continue
    if (row.kind === 'head' && !isInformational(row.status)) step.head = row
    else if (row.kind === 'chunk') step.chunks.push(row)
    else if (row.kind === 'return' || row.kind === 'throw') step.settling = row
  }
  const steps: Step[] = []
  const slices = new Slices()
  for (const part of parts.values()) {
    steps.push(assembleStep(part))
    if (slices.isFullWith(lengthOf(part.chunks))) yield
  }
  return steps
}

function lengthOf(chunks: readonly ChunkRow[]): number {
  return chunks.reduce((length, { text, bytes }) => length + (text ?? bytes ?? '').length, 0)
}

function assembleOutput(head: HeadRow | undefined, chunks: readonly ChunkRow[], output: unknown): unknown {
  if (head === undefined && chunks.length === 0) return output
  const returned: HttpOutput = typeof output === 'object' && output !== null ? output : {}
  const { json, text, bytes, trailers, received: _, ...headOfReturn } = returned
  const { status, statusText, version, headers, leftOut, digests, url } =
    head === undefined ? headOfReturn : withReceivedDigests(head, returned)
  const hasBody = json !== undefined || text !== undefined || bytes !== undefined
  const body = hasBody ? omitUndefined({ json, text, bytes }) : bodyOfChunks(chunks, headerOf(headers, 'content-type'))
  return { ...omitUndefined({ status, statusText, version, headers, leftOut, digests, url, trailers }), ...body }
}
