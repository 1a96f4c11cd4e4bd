import type { CapturedExchange, ExchangeStart, RecordedRun } from '../../run/active-run.ts'
import { type Below, keepContext, runBelow, runOutside, type Scope } from '../../run/scope.ts'
import type { HeaderPairs } from '../../trace/rows.ts'
import { CaptureCallbacks } from './capture-callbacks.ts'
import { CaptureControlled } from './capture-controlled.ts'
import type { MakeDecoder } from './decoder-door.ts'
import { asCaptured, dispatchHeaders, isFetchDispatch, isIterableBody, isReadyBody, teeBody } from './dispatch-request.ts'
import { type FormBody, isFormBody, readFormBody } from '../../http/form-body.ts'
import { type DispatchHandler, type DispatchOptions, type Dispatcher, isControllerHandler } from './undici-types.ts'

/**
 * Lets a dispatch go out and records it. The step is taken synchronously, the transport runs below the boundary, and a handler that the run
 * dispatches with is called back in the context that it did so in, its scope included: undici itself calls it in that of whoever opened the socket.
 */
export function captureDispatch(
  original: Dispatcher,
  scope: Scope,
  run: RecordedRun,
  url: string,
  options: DispatchOptions,
  handler: DispatchHandler,
): boolean {
  const { below } = scope
  const started = below?.exchange
  const headers = dispatchHeaders(options)
  const transport: Below = below ?? {}
  const ready = readyBody(options, transport)
  const exchange = started ?? run.captureExchange({ owner: scope.owner, method: options.method, url, headers, ...(ready && { ready }) })
  const isRedirected = started !== undefined
  transport.exchange = exchange
  const outgoing = isRedirected || ready !== undefined ? options : withTeedBody(options, exchange, headers)
  const decoding = isFetchDispatch(headers)
    ? (decoder: MakeDecoder) => runBelow(scope, { ...transport, captured: true, decoder }, keepContext)
    : undefined
  const ways = { follows: transport.follows === true, decoding, url: isRedirected ? url : undefined }
  const Capture = isControllerHandler(handler) ? CaptureControlled : CaptureCallbacks
  // Below a fetch nothing belongs to the run, in whatever context it is called; the agent hears by promises, which keep their own.
  const captured = new Capture(handler, exchange, below === undefined ? keepContext() : undefined, ways)
  // A dispatcher may lead to another one that has a door too.
  return runBelow(scope, { ...transport, captured: true }, () => original.dispatch(asCaptured(outgoing), captured))
}

function readyBody({ body }: DispatchOptions, transport: Below): ExchangeStart['ready'] {
  if (transport.body !== undefined) return { body: transport.body }
  return isReadyBody(body) ? { body: body ?? undefined } : undefined
}

function withTeedBody(options: DispatchOptions, exchange: CapturedExchange, headers: HeaderPairs): DispatchOptions {
  const { body } = options
  if (isIterableBody(body)) return { ...options, body: teeBody(body, (bytes) => exchange.requestBody(bytes)) }
  else if (isFormBody(body)) void captureForm(body, headers, exchange)
  else exchange.requestBody(undefined)
  return options
}

async function captureForm(body: FormBody, headers: HeaderPairs, exchange: CapturedExchange): Promise<void> {
  try {
    const read = await runOutside(() => readFormBody(body, headers))
    exchange.requestBody(read.bytes, read.headers)
  } catch {
    // Undici will not be able to read it either, and say so.
    exchange.requestBody(undefined)
  }
}
