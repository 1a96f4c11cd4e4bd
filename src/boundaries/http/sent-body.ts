import { hostOf } from '../../http/host-of.ts'
import { headerValue } from '../../http/headers.ts'
import type { Scope } from '../../run/scope.ts'
import { textFromBytes } from '../../trace/body.ts'
import type { HeaderPairs } from '../../trace/rows.ts'
import { agentDoesFor } from '../agent-step.ts'
import { BodyPieces, type WriteWatcher } from './body-pieces.ts'

/** What is longer is compared as far as this. */
const longestRest = 2 ** 26

/**
 * The body of a request, as the agent sends it. What it sends before the answer begins is part of the request's step; the rest is a step of its own, where
 * the body ends.
 */
export class SentBody implements WriteWatcher {
  readonly #opener: Scope
  readonly #url: string
  readonly #headers: () => HeaderPairs
  readonly #told: (body: Buffer | undefined) => void
  readonly #pieces = new BodyPieces()
  readonly #rest = new BodyPieces()
  #restLength = 0
  #isTold = false

  /** @param told Called once, with what was sent before the answer. */
  constructor(opener: Scope, url: string, headers: () => HeaderPairs, told: (body: Buffer | undefined) => void) {
    this.#opener = opener
    this.#url = url
    this.#headers = headers
    this.#told = told
  }

  wrote(piece: Buffer): void {
    if (!this.#isTold) this.#pieces.add(piece)
    else if (this.#restLength < longestRest) {
      this.#restLength += piece.length
      this.#rest.add(piece)
    }
  }

  /** The answer begins, or nothing else happens: what is sent from now on is the rest. */
  tell(): void {
    if (this.#isTold) return
    this.#isTold = true
    this.#told(this.#pieces.whole)
  }

  ended(): void {
    if (!this.#isTold) this.#tellAsRecorded()
    const rest = this.#rest.whole
    if (rest === undefined || isSigned(this.#headers())) return
    agentDoesFor(this.#opener, this.#name, valueOf(rest))
  }

  /** A replay may be done with sending before the answer begins. Then the rest is what it was in the recording, if it is the same. */
  #tellAsRecorded(): void {
    const { run } = this.#opener
    const pieces = this.#pieces.all
    if (run.mode === 'record' || run.recorded.find(this.#name, {}, 'untaken') === undefined) return this.tell()
    const place = pieces.findIndex((_, index) => run.recorded.isNext(this.#name, restOf(pieces, index)))
    if (place === -1) return this.tell()
    for (const piece of this.#pieces.cut(place)) this.#rest.add(piece)
    this.tell()
  }

  get #name(): string {
    return `http ${hostOf(this.#url).host}${new URL(this.#url).pathname} send`
  }
}

function restOf(pieces: readonly Buffer[], index: number): unknown {
  return valueOf(Buffer.concat(pieces.slice(index)))
}

/** Messages of AWS's streams are signed one by one, with a key that a replay does not have. */
function isSigned(headers: HeaderPairs): boolean {
  return headerValue(headers, 'content-type') === 'application/vnd.amazon.eventstream'
}

function valueOf(bytes: Buffer): unknown {
  return textFromBytes(bytes) ?? new Uint8Array(bytes)
}
