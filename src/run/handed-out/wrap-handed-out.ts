import type { Scope } from '../scope.ts'
import { type HandedOut, type HandedOutWatcher, isAsyncIterable, looksLike, offersStreams } from './handed-out.ts'
import { wrapObject } from './wrap-object.ts'
import { Part, type PartEnd } from './part.ts'
import { describeResponse, wrapResponse, wrapStream } from './wrap-source.ts'

/**
 * A run ends when what its agent returned has been consumed, left or dropped. Wraps an async iterable, a ReadableStream, a Response, or an object
 * that offers such, so that its body runs in the run's scope and its end is known.
 *
 * @returns The wrapped value, or undefined if the value is none of these.
 */
export function wrapHandedOut(value: unknown, scope: Scope, watcher: HandedOutWatcher): { readonly value: unknown } | undefined {
  const end = (ended: PartEnd): void => {
    if ('error' in ended) return watcher.ends(ended)
    const { name: _name, ...output } = ended.part
    watcher.ends({ output: output as HandedOut })
  }
  if (isInstance(value, Response)) {
    if (value.body === null) return undefined
    return {
      value: wrapResponse(value, value.body, scope, new Part({ name: '', kind: 'response', ...describeResponse(value) }, watcher, end)),
    }
  }
  if (isInstance(value, ReadableStream)) return { value: wrapStream(value, scope, new Part({ name: '', kind: 'stream' }, watcher, end)) }
  if (isAsyncIterable(value) || offersStreams(value)) return { value: wrapObject(value, scope, watcher) }
  return undefined
}

function isInstance<Kind>(value: unknown, kind: new (...args: never[]) => Kind): value is Kind {
  return looksLike(() => value instanceof kind)
}
