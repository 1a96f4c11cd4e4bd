import { BodyDigests, type CutHeaders, cutDigests } from '../../http/digests.ts'
import type { HeaderPairs, HttpHead } from '../../trace/http-facts.ts'

/**
 * The digests in the headers of an answer. They may be digests of its body, which redaction may change, and then they would be of what was removed.
 * The head is written before the body is complete: it gets the places of the digests, and the end of the answer gets the digests.
 */
export class AnswerDigests {
  /** The headers without the digests, and the places of these. */
  readonly head: Pick<HttpHead, 'headers'> & Required<Pick<HttpHead, 'digests'>>
  readonly #cut: CutHeaders
  readonly #body: BodyDigests

  constructor(cut: CutHeaders) {
    this.head = { headers: cut.headers, digests: cut.marks }
    this.#cut = cut
    this.#body = new BodyDigests(cut.marks.map(([, , algorithm]) => algorithm))
  }

  /** Returns undefined if no header has a digest. */
  static of(headers: HeaderPairs): AnswerDigests | undefined {
    const cut = cutDigests(headers)
    return cut.marks.length === 0 ? undefined : new AnswerDigests(cut)
  }

  /** Takes a piece of the body as it was received. */
  update(bytes: Uint8Array): void {
    this.#body.update(bytes)
  }

  /**
   * Returns the digests as received, once the body is complete. Those that are digests of the body are left to the replay (null) if redaction changed
   * the body or the body is encoded, because a replay encodes it anew.
   */
  received(isChanged: boolean, isEncoded: boolean): (string | null)[] {
    const { marks, digests } = this.#cut
    return digests.map((digest, index) => {
      const [, , algorithm = 'md5', form = 'hex'] = marks[index] ?? []
      return (isChanged || isEncoded) && this.#body.print(algorithm, form) === digest ? null : digest
    })
  }
}
