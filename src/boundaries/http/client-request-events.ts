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
