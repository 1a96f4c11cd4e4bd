import { grpcRequest } from '../../http/telemetry/muting.ts'
import { currentScope, isRecorded, runBelow, runInScope, type Scope, scopeBelow } from '../../run/scope.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { AnsweredCall } from './answer-call.ts'
import { addressOf, type GrpcCall, type GrpcMetadata, metadataOf, type StartedCall } from './grpc-call.ts'
import { RecordedCall } from './recorded-call.ts'

/** A call whose deadline can be set again. */
interface TimedCall extends GrpcCall {
  runDeadlineTimer(): void
}

const opened = new WeakSet<object>()
const started = new WeakMap<object, StartedCall>()

/** Returns whether a value is a grpc-js call, at any level. */
export function isCall(value: object): value is GrpcCall {
  return ['start', 'sendMessageWithContext', 'halfClose', 'cancelWithStatus'].every(
    (name) => typeof Reflect.get(value, name) === 'function',
  )
}

/** Replaces the methods of a class of calls. A call belongs to the run that starts it. */
export function openCall(prototype: object): Restore {
  if (opened.has(prototype)) return () => undefined
  opened.add(prototype)
  const call = prototype as TimedCall
  const restore = combine(
    replaceProperty(call, 'start', startDoor),
    replaceProperty(call, 'sendMessageWithContext', (original) => goingDoor(original, 'send')),
    replaceProperty(call, 'halfClose', (original) => goingDoor(original, 'end')),
    replaceProperty(call, 'cancelWithStatus', (original) => goingDoor(original, 'cancel')),
    replaceProperty(call, 'startRead', (original) => goingDoor(original, 'read')),
    replaceProperty(call, 'runDeadlineTimer', deadlineDoor),
  )
  return () => {
    opened.delete(prototype)
    restore()
  }
}

function startDoor(original: GrpcCall['start']): GrpcCall['start'] {
  return function start(this: GrpcCall, metadata, listener) {
    const own = startedHere(this, metadata)
    if (own === undefined) return original.call(this, metadata, listener)
    started.set(this, own)
    own.listen(listener, (given) => original.call(this, metadata, given))
  }
}

/** A deadline is the client's own. A replay answers with the status that it led to. */
function deadlineDoor(original: () => void): () => void {
  return function runDeadlineTimer(this: TimedCall) {
    const scope = currentScope() ?? scopeBelow()
    const go = (): void => original.call(this)
    if (scope === undefined) go()
    else if (isRecorded(scope) || scope.below?.live !== undefined) runBelow(scope, scope.below ?? {}, go)
  }
}

/** The client continues a call. @param what The client's action, a method of the started call. */
function goingDoor<Args extends unknown[]>(
  original: (...args: Args) => void,
  what: 'send' | 'end' | 'cancel' | 'read',
): (...args: Args) => void {
  return function (this: GrpcCall, ...args: Args): void {
    const go = (): void => Reflect.apply(original, this, args)
    const own = started.get(this)
    if (own === undefined) return go()
    const tell: (...given: never[]) => void = own[what]
    Reflect.apply(tell, own, [go, ...args] as never[])
  }
}

/** Returns the call as a call of the running code's run; undefined if the call is real. */
function startedHere(call: GrpcCall, metadata: GrpcMetadata): StartedCall | undefined {
  const scope = currentScope()
  if (scope === undefined) return undefined
  const isMuted = scope.run.mutes(grpcRequest(addressOf(call), call.method))
  if (!isRecorded(scope)) return isMuted ? mutedCall(scope, metadata) : new AnsweredCall(scope, call, metadata)
  if (isMuted) scope.run.countMuted()
  return new RecordedCall(scope, call, metadata, isMuted)
}

/** A telemetry call in a replay: it succeeds with an empty message and goes nowhere. */
function mutedCall(scope: Scope, metadata: GrpcMetadata): StartedCall {
  return {
    listen(listener) {
      const none = metadataOf([], metadata)
      process.nextTick(() =>
        runInScope(scope, () => {
          listener.onReceiveMetadata(none)
          listener.onReceiveMessage(Buffer.alloc(0))
          listener.onReceiveStatus({ code: 0, details: 'OK', metadata: none })
        }),
      )
    },
    send(_go, { callback }) {
      if (callback !== undefined) process.nextTick(callback)
    },
    end() {},
    cancel() {},
    read() {},
  }
}
