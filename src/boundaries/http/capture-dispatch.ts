import type { CapturedExchange, ExchangeStart } from '../../run/active-run.ts'
import { type Below, keepContext, type RecordedScope, runBelow, runOutside } from '../../run/scope.ts'
import type { HeaderPairs } from '../../trace/rows.ts'
import { CaptureCallbacks, CaptureControlled } from './capture-handler.ts'
import type { MakeDecoder } from './decoder-door.ts'
import { asCaptured, dispatchHeaders, isFetchDispatch, isIterableBody, isReadyBody } from './dispatch-request.ts'
import { type FormBody, isFormBody, readFormBody } from '../../http/form-body.ts'
import { announcedLength, watchPieces } from './piecewise-body.ts'
import { SentBody } from './sent-body.ts'
import { type Dispatcher, type DispatchHandler, type DispatchOptions, isControllerHandler } from './undici-types.ts'

/**
 * Sends a dispatch and records it. The step is created synchronously, the transport runs below the boundary, and the run's handler is called
 * in its own context, including its scope. Undici itself would call it in the context that opened the socket.
 */
export function captureDispatch(
  original: Dispatcher,
  scope: RecordedScope,
  url: string,
  options: DispatchOptions,
  handler: DispatchHandler,
): boolean {
  const { run, owner, below } = scope
  const tell = (bytes: Uint8Array | undefined): void => exchange.requestBody(bytes ?? new Uint8Array())
  const started = below?.exchange
  const headers = dispatchHeaders(options)
  const transport: Below = below ?? {}
  const ready = readyBody(options, transport)
  const sent = started === undefined && ready === undefined ? new SentBody(scope, { url, headers }, tell) : undefined
  const body = sent === undefined ? ready && { ready } : { cutBody: () => sent.tell() }
  const exchange = started ?? run.captureExchange({ owner, method: options.method, url, headers, ...body })
  transport.exchange = exchange
  const outgoing = sent === undefined ? options : withWatchedBody(options, exchange, headers, sent)
  const decoding = isFetchDispatch(headers)
    ? (decoder: MakeDecoder) => runBelow(scope, { ...transport, captured: true, decoder }, keepContext)
    : undefined
  const ways = { follows: transport.follows === true, decoding, url: started === undefined ? undefined : url }
  const Capture = isControllerHandler(handler) ? CaptureControlled : CaptureCallbacks
  // Below a fetch nothing belongs to the run, whatever the context. The agent is notified by promises, which keep their own context.
  const captured = new Capture(handler, exchange, below === undefined ? keepContext() : undefined, ways)
  // A dispatcher may forward to another one that also has a door.
  return runBelow(scope, { ...transport, captured: true }, () => original.dispatch(asCaptured(outgoing), captured))
}

function readyBody({ body }: DispatchOptions, transport: Below): ExchangeStart['ready'] {
  if (transport.body !== undefined) return { body: transport.body }
  return isReadyBody(body) ? { body: body ?? undefined } : undefined
}

function withWatchedBody(options: DispatchOptions, exchange: CapturedExchange, headers: HeaderPairs, sent: SentBody): DispatchOptions {
  const { body } = options
  if (isIterableBody(body)) return { ...options, body: watchPieces(body, sent, announcedLength(headers)) }
  else if (isFormBody(body)) void captureForm(body, headers, exchange)
  else exchange.requestBody(undefined)
  return options
}

async function captureForm(body: FormBody, headers: HeaderPairs, exchange: CapturedExchange): Promise<void> {
  try {
    const read = await runOutside(() => readFormBody(body, headers))
    exchange.requestBody(read.bytes, read.headers)
  } catch {
    // Undici cannot read the body either, and reports that.
    exchange.requestBody(undefined)
  }
}
