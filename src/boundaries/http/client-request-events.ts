import type { EventEmitter } from 'node:events'
import { runInScope, type Scope } from '../../run/scope.ts'

/**
 * Lets an emitter's listeners run in the scope that it was made in. A socket that is kept alive emits in the scope of whoever opened it,
 * which is another run's as often as not.
 */
export function emitInScope(emitter: EventEmitter, scope: Scope, before?: (event: string | symbol, args: unknown[]) => void): void {
  const emit = emitter.emit.bind(emitter)
  emitter.emit = (event, ...args: unknown[]) => {
    before?.(event, args)
    return runInScope(scope, () => emit(event, ...args))
  }
}

/** Tells when a client destroys a request or an answer, or Node does. */
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
