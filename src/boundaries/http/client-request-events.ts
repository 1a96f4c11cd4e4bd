import { AsyncResource } from 'node:async_hooks'
import type { EventEmitter } from 'node:events'
import { runInScope, type Scope } from '../../run/scope.ts'

/**
 * Runs an emitter's listeners where it was created. A kept-alive socket emits in the scope that opened it, which often belongs to another run.
 *
 * @param place The agent's scope; in a replay, its context, because nothing in Node keeps it there. Undefined: where Node emits.
 * @param before Called before each event. It may change the arguments.
 */
export function emitIn(
  emitter: EventEmitter,
  place: Scope | AsyncResource | undefined,
  before?: (event: string | symbol, args: unknown[]) => void,
): void {
  const emit = emitter.emit.bind(emitter)
  emitter.emit = (event, ...args: unknown[]) => {
    before?.(event, args)
    const tell = (): boolean => emit(event, ...args)
    if (place === undefined) return tell()
    return place instanceof AsyncResource ? place.runInAsyncScope(tell) : runInScope(place, tell)
  }
}

/** Calls `destroyed` when a client or Node destroys a request or an answer. */
export function watchDestroy(stream: Destroyable, destroyed: (error: unknown) => void): void {
  const destroy = stream.destroy.bind(stream)
  stream.destroy = (error) => {
    if (!stream.destroyed) destroyed(error)
    return destroy(error)
  }
}

interface Destroyable {
  readonly destroyed: boolean
  destroy(error?: Error): unknown
}
