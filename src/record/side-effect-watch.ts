import { builtins } from '../node/builtins.ts'
import { headerValue } from '../http/headers.ts'
import type { Effect } from '../trace/boundary.ts'
import type { HttpInput } from '../trace/rows.ts'
import { type AskedRequest, mayWrite } from '../trace/reading-requests.ts'
import { isRefusal, nameOfRequest, SideEffects } from '../trace/side-effects.ts'
import type { RawBody } from './raw/raw-entry.ts'

/** Watches the side effects of a run while it goes on: the repeated refund is found when it happens. */
export class SideEffectWatch {
  readonly #sideEffects = new SideEffects()
  /** Steps of functions that say what they do, and all within: what is done there is theirs. */
  readonly #covered = new Set<number>()
  /** Requests that were taken for side effects. */
  readonly #inferred = new Set<number>()
  readonly #onRepeated: (step: number, first: number, name: string) => void

  constructor(onRepeated: (step: number, first: number, name: string) => void) {
    this.#onRepeated = onRepeated
  }

  /** A function is called, whatever it does. */
  calls(step: number, owner: number, effect: Effect | undefined): void {
    if (effect !== undefined || this.#covered.has(owner)) this.#covered.add(step)
  }

  /** A side effect is made. */
  makes(step: number, name: string, key: string): void {
    const first = this.#sideEffects.count(step, name, key)
    if (first !== undefined) this.#onRepeated(step, first, name)
  }

  /** Whether a request that is no model call is taken for a side effect. @param request Its body, as far as it is known. */
  infers(owner: number, request: AskedRequest): boolean {
    return !this.#covered.has(owner) && mayWrite(request)
  }

  /** A request goes out that is no model call. */
  sends(step: number, owner: number, { method, url, headers }: Pick<HttpInput, 'method' | 'url' | 'headers'>, body: RawBody): void {
    if (!this.infers(owner, { method, url, ...textOf(body) })) return
    this.#inferred.add(step)
    const key = headerValue(headers, 'idempotency-key') ?? `${url}\n${body === undefined ? '' : builtins.crypto.hash('sha256', body)}`
    this.makes(step, nameOfRequest(method, url), key)
  }

  /** A request is answered. */
  answers(step: number, status: number): void {
    if (this.#inferred.has(step) && isRefusal(status)) this.#sideEffects.takeBack(step)
  }
}

/** A longer body says nothing here. */
const longestRead = 16_384

/** A body as text. */
export function textOf(body: RawBody): { readonly text?: string } {
  if (body === undefined || body.length > longestRead) return {}
  return { text: typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString() }
}
