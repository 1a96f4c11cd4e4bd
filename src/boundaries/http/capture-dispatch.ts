import type { CapturedExchange, ExchangeStart } from '../../run/active-run.ts'
import { type Below, keepContext, type RecordedScope, runBelow, runOutside } from '../../run/scope.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import { CaptureCallbacks, CaptureControlled } from './capture-handler.ts'
import type { MakeDecoder } from './decoder-door.ts'
import { asCaptured, dispatchHeaders, isFetchDispatch, isIterableBody, isReadyBody, withWholeBody } from './dispatch-request.ts'
import { headerValue } from '../../http/headers.ts'
import { withoutFetchDefaults } from '../../http/request-headers.ts'
import { unfollowed } from '../../http/redirects.ts'
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
  asked: DispatchOptions,
  handler: DispatchHandler,
): boolean {
  const options = withWholeBody(asked)
  const { run, owner, below } = scope
  const tell = (bytes: Uint8Array | undefined, isPart: boolean): void => exchange.requestBody(bytes ?? new Uint8Array(), undefined, isPart)
  const started = below?.exchange
  const wire = dispatchHeaders(options)
  const headers = givenHeaders(wire, below?.given)
  const transport: Below = below ?? {}
  const body = readyBody(options, below)
  const sent = started === undefined && body === undefined ? new SentBody(scope, { url, headers: wire }, tell) : undefined
  const how = sent === undefined ? body : { cutBody: () => sent.tell() }
  const exchange =
    started ?? run.captureExchange({ owner, method: options.method, url, headers, ...unfollowed(transport.redirect ?? 'follow'), ...how })
  transport.exchange = exchange
  const outgoing = sent === undefined ? options : withWatchedBody(options, exchange, wire, sent)
  const decoding = isFetchDispatch(wire)
    ? (decoder: MakeDecoder) => runBelow(scope, { ...transport, captured: true, decoder }, keepContext)
    : undefined
  const ways = { follows: transport.redirect === 'follow', decoding, url: started === undefined ? undefined : url }
  const Capture = isControllerHandler(handler) ? CaptureControlled : CaptureCallbacks
  // Below a fetch nothing belongs to the run, whatever the context. The agent is notified by promises, which keep their own context.
  const captured = new Capture(handler, exchange, below === undefined ? keepContext() : undefined, ways)
  // A dispatcher may forward to another one that also has a door.
  return runBelow(scope, { ...transport, captured: true }, () => original.dispatch(asCaptured(outgoing), captured))
}

/**
 * Returns the headers that the caller set: of a dispatch, all; of a fetch, without what fetch adds, except the type of the body.
 *
 * @param given What the caller of fetch set; undefined if nobody knows.
 */
function givenHeaders(wire: HeaderPairs, given: Below['given']): HeaderPairs {
  if (given === undefined) return isFetchDispatch(wire) ? withoutFetchDefaults(wire) : wire
  const type = headerValue(given, 'content-type') === undefined ? headerValue(wire, 'content-type') : undefined
  return type === undefined ? given : [...given, ['content-type', type]]
}

/** Returns the body of a dispatch if it is available. @param transport The fetch that dispatches, which knows its body before it reads it. */
export function readyBody({ body }: DispatchOptions, transport: Below | undefined): Pick<ExchangeStart, 'ready'> | undefined {
  if (transport?.body !== undefined) return { ready: { body: transport.body } }
  return isReadyBody(body) ? { ready: { body: body ?? undefined } } : undefined
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
