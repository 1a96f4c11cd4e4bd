import { codingsOf } from '../../boundaries/http/codings.ts'
import { bodyDecoder } from '../../boundaries/http/decode-body.ts'
import { createPieceDecoder, type PieceDecoder } from '../../boundaries/http/piece-decoder.ts'
import { runOutside } from '../../run/scope.ts'

/** Takes what a piece of a body stands for; `isEncoded` where it is in no such coding and given as it came. */
export type TakePiece = (bytes: Uint8Array, isEncoded: boolean) => void

/**
 * Decodes an answer for the trace, beside an agent that reads it encoded as it came. Decoding goes on in the thread pool; where a recording has
 * to be closed before it is done, the rest is decoded at once.
 */
export class AnswerDecoding {
  readonly #encoding: string
  readonly #decode: PieceDecoder
  /** All that came: what is decoded at once is decoded from the start. */
  #body: Uint8Array[] = []
  #waiting: { readonly piece: Uint8Array; readonly take: TakePiece }[] = []
  /** How much of the decoded body has been handed on. */
  #handed = 0
  #isBroken = false
  #isWorking = false
  #onDone: (() => void) | undefined

  /** @param encoding Codings that are all known. */
  constructor(encoding: string) {
    this.#encoding = encoding
    this.#decode = createPieceDecoder(codingsOf(encoding) ?? [])
  }

  /** Takes a piece; `take` is called with what it adds, in its turn. */
  add(piece: Uint8Array, take: TakePiece): void {
    this.#body.push(piece)
    this.#waiting.push({ piece, take })
    if (!this.#isWorking) void runOutside(() => this.#work())
  }

  /** The body is complete: calls `done` once all of its pieces have been taken. */
  end(done: () => void): void {
    this.#onDone = done
    this.#finishIfDone()
  }

  /** Decodes at once what waits. */
  flush(): void {
    const rest = this.#isBroken ? undefined : this.#decodeRest()
    this.#waiting.splice(0).forEach(({ piece, take }, index) => {
      if (rest === undefined) take(piece, true)
      else take(index === 0 ? rest : new Uint8Array(), false)
    })
    this.#finishIfDone()
  }

  async #work(): Promise<void> {
    this.#isWorking = true
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const decoded = await this.#decodePiece(next.piece)
      // Flushed meanwhile.
      if (this.#waiting[0] !== next) break
      this.#waiting.shift()
      this.#handed += decoded?.length ?? 0
      next.take(decoded ?? next.piece, decoded === undefined)
    }
    this.#isWorking = false
    this.#finishIfDone()
  }

  /** Undefined from the piece on that is in no such coding. */
  async #decodePiece(piece: Uint8Array): Promise<Uint8Array | undefined> {
    if (this.#isBroken) return undefined
    try {
      return await this.#decode(piece)
    } catch {
      this.#isBroken = true
      return undefined
    }
  }

  #decodeRest(): Uint8Array | undefined {
    if (this.#waiting.length === 0) return undefined
    try {
      return bodyDecoder(this.#encoding)?.(Buffer.concat(this.#body)).subarray(this.#handed)
    } catch {
      this.#isBroken = true
      return undefined
    }
  }

  #finishIfDone(): void {
    if (this.#waiting.length > 0) return
    const done = this.#onDone
    this.#onDone = undefined
    done?.()
  }
}
