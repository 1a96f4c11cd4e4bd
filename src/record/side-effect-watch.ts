import { builtins } from '../node/builtins.ts'
import { headerValue } from '../http/headers.ts'
import type { Effect, RequestEffects } from '../trace/boundary.ts'
import { type AskedRequest, declaredEffect, mayWrite } from '../trace/requests/may-write.ts'
import type { HttpInput } from '../trace/rows.ts'
import { isRefusal, nameOfRequest, SideEffects } from '../trace/side-effects.ts'
import type { RawBody } from './raw/raw-entry.ts'

/** What a side effect has called. */
interface Body {
  calls: number
  /** Calls that may have written something. */
  writes: number
}

/** Watches the side effects of a run while it is under way: a repeated refund is found when it happens. */
export class SideEffectWatch {
  readonly #sideEffects = new SideEffects()
  /** Steps of functions that declare their effect, and every step within them: calls made there belong to those functions. */
  readonly #covered = new Set<number>()
  /** What the bodies of side effects have called. */
  readonly #bodies = new Map<number, Body>()
  /** Requests that may be side effects, with the body of the side effect that made them. */
  readonly #requests = new Map<number, Body | undefined>()
  readonly #effects: RequestEffects | undefined
  readonly #onRepeated: (step: number, first: number, name: string) => void

  /** @param effects The declared effects of requests. */
  constructor(effects: RequestEffects | undefined, onRepeated: (step: number, first: number, name: string) => void) {
    this.#effects = effects
    this.#onRepeated = onRepeated
  }

  /** Called when a function is called, whatever its effect. */
  calls(step: number, owner: number, effect: Effect | undefined): void {
    if (effect !== undefined || this.#covered.has(owner)) this.#covered.add(step)
    if (effect === 'write') this.#bodies.set(step, { calls: 0, writes: 0 })
    this.#countIn(owner, effect !== 'read')
  }

  /** Called when a model is asked. */
  asks(owner: number): void {
    this.#countIn(owner, false)
  }

  /** Called when a function throws. If its body called something, and nothing that writes, it threw before it wrote: the next attempt is the first. */
  throws(step: number): void {
    const body = this.#bodies.get(step)
    if (body !== undefined && body.calls > 0 && body.writes === 0) this.#sideEffects.takeBack(step)
  }

  /** Called when a side effect is made. */
  makes(step: number, name: string, key: string): void {
    const first = this.#sideEffects.count(step, name, key)
    if (first !== undefined) this.#onRepeated(step, first, name)
  }

  /** Returns whether a request that is not a model call is a side effect. @param body The request's, as far as it is known. */
  infers(owner: number, request: Pick<AskedRequest, 'method' | 'url'>, body: RawBody): boolean {
    return !this.#covered.has(owner) && this.#mayWrite(request, body)
  }

  /** Called when a request that is not a model call goes out. */
  sends(step: number, owner: number, { method, url, headers }: Pick<HttpInput, 'method' | 'url' | 'headers'>, body: RawBody): void {
    const within = this.#countIn(owner, this.#bodies.has(owner) && this.#mayWrite({ method, url }, body))
    if (within !== undefined) this.#requests.set(step, within)
    if (!this.infers(owner, { method, url }, body)) return
    this.#requests.set(step, undefined)
    const key = headerValue(headers, 'idempotency-key') ?? `${url}\n${body === undefined ? '' : builtins.crypto.hash('sha256', body)}`
    const name = nameOfRequest(method, url, declaredEffect({ method, url }, this.#effects) === undefined)
    const first = this.#sideEffects.count(step, name, key)
    // Only a repeated request is worth reading a long body.
    if (first !== undefined && mayWrite({ method, url, ...textOf(body) }, this.#effects)) this.#onRepeated(step, first, name)
  }

  /** Called when a request is answered. */
  answers(step: number, status: number): void {
    if (!isRefusal(status) || !this.#requests.has(step)) return
    const within = this.#requests.get(step)
    if (within === undefined) this.#sideEffects.takeBack(step)
    else within.writes -= 1
  }

  #mayWrite(request: Pick<AskedRequest, 'method' | 'url'>, body: RawBody): boolean {
    return mayWrite({ ...request, ...(body !== undefined && body.length <= longestRead && textOf(body)) }, this.#effects)
  }

  /** Counts a call in the body of the side effect that made it, if one did. @returns That body, if the call may write. */
  #countIn(owner: number, writes: boolean): Body | undefined {
    const body = owner === 0 ? undefined : this.#bodies.get(owner)
    if (body === undefined) return undefined
    body.calls += 1
    if (writes) body.writes += 1
    return writes ? body : undefined
  }
}

/** The longest body that is read for every request. */
const longestRead = 16_384

function textOf(body: RawBody): { readonly text?: string } {
  if (body === undefined) return {}
  return { text: typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString() }
}
