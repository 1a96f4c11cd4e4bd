import type { AsyncResource } from 'node:async_hooks'
import type { EventEmitter } from 'node:events'
import { runInScope, type Scope } from '../../run/scope.ts'

/**
 * Runs an emitter's listeners in the scope in which it was created. A kept-alive socket emits in the scope that opened it, which often
 * belongs to another run.
 */
export function emitInScope(emitter: EventEmitter, scope: Scope, before?: (event: string | symbol, args: unknown[]) => void): void {
  const emit = emitter.emit.bind(emitter)
  emitter.emit = (event, ...args: unknown[]) => {
    before?.(event, args)
    return runInScope(scope, () => emit(event, ...args))
  }
}

/** The same in a replay, where nothing of Node's keeps the context in which the agent made it. */
export function emitInContext(
  emitter: EventEmitter,
  context: AsyncResource,
  before?: (event: string | symbol, args: unknown[]) => void,
): void {
  const emit = emitter.emit.bind(emitter)
  emitter.emit = (event, ...args: unknown[]) => {
    before?.(event, args)
    return context.runInAsyncScope(() => emit(event, ...args))
  }
}

/** Notifies when a client or Node destroys a request or an answer. */
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
