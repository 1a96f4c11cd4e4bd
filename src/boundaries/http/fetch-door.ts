import { currentScope, runBelow, type Below } from '../../run/scope.ts'
import { replaceProperty, type Restore } from '../patches.ts'
import { answerFetch } from './answer-fetch.ts'
import { redirectMode } from './redirects.ts'

type Fetch = typeof globalThis.fetch

/**
 * The global `fetch`. Recording, it only marks where the transport begins: what fetch itself draws and waits for is below the boundary, and
 * a call with its redirects is one step. Replaying, it answers.
 */
export function fetchDoor(): Restore {
  return replaceProperty(globalThis, 'fetch', (original) => {
    const fetch: Fetch = (input, init) => {
      const scope = currentScope()
      if (scope === undefined) return original(input, init)
      if (scope.run.mode === 'replay') return answerFetch(scope, scope.run, input, init)
      const body = readyBody(init?.body)
      const below: Below = { follows: redirectMode(input, init) === 'follow', ...(body === undefined ? {} : { body }) }
      const answer = runBelow(scope, below, () => original(input, init))
      // What fails after the last dispatch (too many redirects, a redirect that is not allowed) fails the step too.
      answer.catch((error: unknown) => below.exchange?.fail(error))
      return answer
    }
    return fetch
  })
}

function readyBody(body: RequestInit['body']): string | Uint8Array | undefined {
  return typeof body === 'string' || body instanceof Uint8Array ? body : undefined
}
