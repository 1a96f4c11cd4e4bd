import { isUint8Array } from 'node:util/types'
import { type Below, currentScope, isAnswered, runBelow } from '../../run/scope.ts'
import { fetchMcp } from '../mcp/mcp-fetch.ts'
import { replaceProperty, type Restore } from '../patches.ts'
import { answerFetch } from './answer-fetch.ts'
import { renewDispatcherDoors, withDoor } from './dispatcher-door.ts'
import { httpUrlOf } from './fetch-call.ts'
import { readFetchHeaders } from './fetch-headers.ts'
import { fetchLive, goesLive } from './live-call.ts'
import { redirectMode } from '../../http/redirects.ts'
import type { Dispatcher } from './undici-types.ts'

type Fetch = typeof globalThis.fetch

/**
 * The global `fetch`. In a recording, it only marks where the transport begins: fetch's own draws and waits are below the boundary, and a
 * call with its redirects is one step. In a replay, it answers.
 */
export function fetchDoor(): Restore {
  return replaceProperty(globalThis, 'fetch', (original) => {
    const fetch: Fetch = (input, passed) => {
      const init = readAgain(passed)
      const message = fetchMcp(original, input, init)
      if (message !== undefined) return message
      const scope = currentScope()
      if (scope === undefined) return original(input, init)
      if (isAnswered(scope)) {
        const url = httpUrlOf(input)
        if (url !== undefined && goesLive(scope.run, url.href)) return fetchLive(scope, () => original(input, init))
        return url === undefined ? runBelow(scope, {}, () => original(input, init)) : answerFetch(scope, url, input, init)
      }
      const body = readyBody(init?.body)
      // The caller may change or reuse what it passed as soon as `fetch` returns.
      const given = readFetchHeaders(init?.headers ?? (input instanceof Request ? input.headers : init?.headers))
      const below: Below = {
        redirect: redirectMode(input, init),
        ...(given && { given }),
        ...(body === undefined ? {} : { body }),
      }
      renewDispatcherDoors()
      const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
      // Failures after the last dispatch (too many redirects) also fail the step.
      return runBelow(scope, below, () => original(input, withDispatcherDoor(init))).catch((error: unknown) => {
        // An abort while connecting does not reach the dispatch.
        if (signal?.aborted === true) below.exchange?.stop(error)
        else below.exchange?.fail(error)
        throw error
      })
    }
    return fetch
  })
}

/** Wraps a call's own dispatcher (a proxy's), because the call does not go through the global one. */
function withDispatcherDoor(init: RequestInit | undefined): RequestInit | undefined {
  if (init === undefined || !('dispatcher' in init) || !isDispatcher(init.dispatcher)) return init
  return { ...init, dispatcher: withDoor(init.dispatcher) } as RequestInit
}

/** Returns options whose headers can be read more than once: not an iterator. */
function readAgain(init: RequestInit | undefined): RequestInit | undefined {
  const headers: unknown = init?.headers
  const isIterator = typeof headers === 'object' && headers !== null && 'next' in headers && Symbol.iterator in headers
  return isIterator ? { ...init, headers: [...(headers as Iterable<[string, string]>)] } : init
}

function isDispatcher(value: unknown): value is Dispatcher {
  return typeof value === 'object' && value !== null && 'dispatch' in value && typeof value.dispatch === 'function'
}

function readyBody(body: RequestInit['body']): string | Uint8Array | undefined {
  return typeof body === 'string' || isUint8Array(body) ? body : undefined
}
