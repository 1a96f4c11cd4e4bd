import { RequestHandler } from 'msw'
import { decodedBody } from '../../http/decode-body.ts'
import { EncodedAnswer } from '../../http/encoded-answer.ts'
import { headerValue, toHeaderPairs } from '../../http/headers.ts'
import { withoutFetchDefaults } from '../../http/request-headers.ts'
import { statusTextOf } from '../../http/status-text.ts'
import { realTimers } from '../../node/real-timers.ts'
import { canonicalInput } from '../../divergence/canonical-input.ts'
import { standInsOf } from '../../redaction/trace-stand-ins.ts'
import { blankStandIns, type BlankedText, type KnownStandIns } from '../../divergence/stand-ins.ts'
import { recogniseDialect } from '../../models/recognise-dialect.ts'
import { bodyFromBytes } from '../../trace/body.ts'
import { withReceivedDigests } from '../../trace/http-head.ts'
import { toError } from '../../trace/recorded-error.ts'
import type { CompletionRow, HttpInput, HttpOutput } from '../../trace/rows.ts'
import type { Trace } from '../../trace/trace.ts'
import { toRecorded } from '../../trace/values.ts'
import { comparedHeadersOf } from '../calls/compared-headers.ts'
import { ReplayRedaction } from '../calls/replay-redaction.ts'
import { recordedPieces, withComputedDigests } from './recorded-body.ts'

/** A recorded HTTP step, ready to be served. */
interface Exchange {
  readonly key: BlankedText
  readonly method: string
  readonly completions: CompletionRow[]
}

/**
 * MSW request handlers that answer a trace's HTTP steps, model calls included: for your own MSW server, in tests that do not replay a whole
 * run. A request gets the answer of the first recorded request with equal method, URL, compared headers and body that has not been served
 * yet, chunk by chunk. Other requests are left to the next handlers.
 *
 * @param trace A loaded trace: `goldenHandlers(await readTrace('cancel-unshipped'))`.
 *
 * @example
 * const server = setupServer(...goldenHandlers(trace), http.get('https://example.com', () => HttpResponse.text('live')))
 */
export function goldenHandlers(trace: Trace): RequestHandler[] {
  return [new GoldenHandler(trace)]
}

/** The recorded exchange that answers a request, if there is one. */
interface Parsed {
  exchange: Exchange | undefined
}

class GoldenHandler extends RequestHandler<{ header: string }, Parsed> {
  readonly #trace: Trace
  readonly #redaction: ReplayRedaction
  #unserved: Exchange[]

  constructor(trace: Trace) {
    const name = trace.header.golden?.name ?? trace.header.id
    super({ info: { header: `golden trace ${name}` }, resolver: ({ exchange }: { exchange: Exchange }) => answer(exchange) })
    this.#trace = trace
    this.#redaction = new ReplayRedaction(trace, undefined)
    this.#unserved = exchangesOf(trace)
  }

  override async parse({ request }: { request: Request }): Promise<Parsed> {
    const key = await this.#keyOfRequest(request.clone())
    return { exchange: this.#unserved.find((exchange) => this.#isSame(exchange.key, key)) }
  }

  override predicate({ parsedResult }: { parsedResult: Parsed }): boolean {
    const { exchange } = parsedResult
    // Taken synchronously, so that two concurrent requests do not get the same answer.
    if (exchange !== undefined) this.#unserved = this.#unserved.filter((other) => other !== exchange)
    return exchange !== undefined
  }

  protected override extendResolverArgs({ parsedResult }: { parsedResult: Parsed }): Parsed {
    return parsedResult
  }

  override reset(): void {
    // MSW has no `reset` before 2.12.
    ;(super.reset as (() => void) | undefined)?.()
    this.#unserved = exchangesOf(this.#trace)
  }

  override log(): void {
    // The verdict is up to the test.
  }

  #isSame(recorded: BlankedText, replayed: BlankedText): boolean {
    return recorded.text === replayed.text && this.#redaction.renaming.pairsFor(recorded.numbers, replayed.numbers) !== undefined
  }

  async #keyOfRequest(request: Request): Promise<BlankedText> {
    const bytes = new Uint8Array(await request.arrayBuffer())
    const pairs = toHeaderPairs(request.headers)
    const body = bodyFromBytes(decodedBody(bytes, headerValue(pairs, 'content-encoding')))
    // Below MSW, the headers of the caller and those of fetch are the same.
    const { url, headers } = comparedHeadersOf(this.#trace).of(request.url, withoutFetchDefaults(pairs))
    const input = { method: request.method, url, headers, ...body }
    return keyOf(input, this.#redaction.toRecorded(input), this.#redaction.renaming.sides.live)
  }
}

function exchangesOf(trace: Trace): Exchange[] {
  const exchanges = new Map<number, Exchange>()
  for (const row of trace.rows) {
    if (row.kind === 'call' && (row.boundary === 'model' || row.boundary === 'http')) {
      const input = comparedHeadersOf(trace).recorded(row).input as HttpInput
      exchanges.set(row.step, { key: keyOf(input, toRecorded(input), standInsOf(trace)), method: input.method, completions: [] })
    } else if (row.kind === 'head' || row.kind === 'chunk' || row.kind === 'return' || row.kind === 'throw') {
      exchanges.get(row.step)?.completions.push(row)
    }
  }
  return [...exchanges.values()].filter(({ completions }) => completions.length > 0)
}

function keyOf({ method, url }: HttpInput, redacted: unknown, standIns: KnownStandIns): BlankedText {
  const dialect = recogniseDialect(method, url)
  const boundary = dialect === undefined ? 'http' : 'model'
  return blankStandIns(canonicalInput(boundary, dialect ?? '', redacted), standIns)
}

/** The recorded answer. Its chunks are one turn of the event loop apart, so that they are not merged. */
async function answer({ method, completions }: Exchange): Promise<Response> {
  const head = completions.findLast((row) => row.kind === 'head')
  const settled = completions.find((row) => row.kind === 'return' || row.kind === 'throw')
  const output: HttpOutput = settled?.kind === 'return' ? (settled.output ?? {}) : {}
  const status = head?.status ?? output.status
  if (status === undefined) throw settled?.kind === 'throw' ? toError(settled.error) : new Error('The recorded call was never answered.')
  const recorded = withReceivedDigests({ ...output, ...head, status, headers: head?.headers ?? output.headers ?? [] }, output)
  const arrived = recordedPieces(completions, output)
  const given = withComputedDigests(method, { ...recorded, body: () => ({ pieces: arrived, isWhole: settled?.kind === 'return' }) })
  const body = new EncodedAnswer(method, given)
  const pieces = arrived.map(({ bytes, encoded }) => body.piece(Buffer.from(bytes as Uint8Array), encoded))
  // A body that was cut short has no end.
  if (settled?.kind !== 'throw') pieces.push(body.end())
  const isBodyless = status === 101 || status === 204 || status === 205 || status === 304
  const statusText = statusTextOf(given)
  const headers = body.headers.map(([name, value]): [string, string] => [name, value])
  return new Response(isBodyless ? null : streamOf(pieces, settled), { status, statusText, headers })
}

function streamOf(pieces: readonly Uint8Array[], settled: CompletionRow | undefined): ReadableStream<Uint8Array> {
  const left = pieces.filter(({ length }) => length > 0)
  return new ReadableStream(
    {
      async pull(controller) {
        await new Promise<void>((resolve) => realTimers.setImmediate(() => resolve()))
        const piece = left.shift()
        if (piece !== undefined) controller.enqueue(piece)
        else if (settled?.kind === 'throw') controller.error(toError(settled.error))
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}
