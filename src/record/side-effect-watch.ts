import { builtins } from '../node/builtins.ts'
import { headerValue } from '../http/headers.ts'
import type { Effect } from '../trace/boundary.ts'
import type { HttpInput } from '../trace/rows.ts'
import { type AskedRequest, mayWrite } from '../trace/reading-requests.ts'
import { isRefusal, nameOfRequest, SideEffects } from '../trace/side-effects.ts'
import type { RawBody } from './raw/raw-entry.ts'

/** Watches the side effects of a run while it is under way: a repeated refund is found when it happens. */
export class SideEffectWatch {
  readonly #sideEffects = new SideEffects()
  /** Steps of functions that declare their effect, and every step within them: calls made there belong to those functions. */
  readonly #covered = new Set<number>()
  /** Requests that were inferred to be side effects. */
  readonly #inferred = new Set<number>()
  readonly #onRepeated: (step: number, first: number, name: string) => void

  constructor(onRepeated: (step: number, first: number, name: string) => void) {
    this.#onRepeated = onRepeated
  }

  /** Called when a function is called, whatever its effect. */
  calls(step: number, owner: number, effect: Effect | undefined): void {
    if (effect !== undefined || this.#covered.has(owner)) this.#covered.add(step)
  }

  /** Called when a side effect is made. */
  makes(step: number, name: string, key: string): void {
    const first = this.#sideEffects.count(step, name, key)
    if (first !== undefined) this.#onRepeated(step, first, name)
  }

  /** Returns whether a request that is not a model call is inferred to be a side effect. @param request Its body, as far as it is known. */
  infers(owner: number, request: AskedRequest): boolean {
    return !this.#covered.has(owner) && mayWrite(request)
  }

  /** Called when a request that is not a model call goes out. */
  sends(step: number, owner: number, { method, url, headers }: Pick<HttpInput, 'method' | 'url' | 'headers'>, body: RawBody): void {
    if (!this.infers(owner, { method, url, ...textOf(body) })) return
    this.#inferred.add(step)
    const key = headerValue(headers, 'idempotency-key') ?? `${url}\n${body === undefined ? '' : builtins.crypto.hash('sha256', body)}`
    this.makes(step, nameOfRequest(method, url), key)
  }

  /** Called when a request is answered. */
  answers(step: number, status: number): void {
    if (this.#inferred.has(step) && isRefusal(status)) this.#sideEffects.takeBack(step)
  }
}

/** Longer bodies are not considered. */
const longestRead = 16_384

/** Returns a body as text. */
export function textOf(body: RawBody): { readonly text?: string } {
  if (body === undefined || body.length > longestRead) return {}
  return { text: typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString() }
}
