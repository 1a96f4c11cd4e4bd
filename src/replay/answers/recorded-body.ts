import type { AnswerHead, BodyPiece } from '../../http/answer-head.ts'
import { digestOf } from '../../http/digests.ts'
import { givenBody } from '../../http/encoded-answer.ts'
import { bytesOfBody } from '../../trace/body.ts'
import { withDigests } from '../../trace/http-head.ts'
import type { CompletionRow, HttpOutput } from '../../trace/rows.ts'

/** Returns the pieces of a recorded body as they arrived. `output` has the body if its chunks only record how much of it arrived. */
export function recordedPieces(completions: readonly CompletionRow[], output: HttpOutput): readonly BodyPiece[] {
  const chunks = completions.filter((row) => row.kind === 'chunk')
  const whole = chunks.length === 0 || chunks.some(({ length }) => length !== undefined) ? bytesOfBody(output) : new Uint8Array()
  if (chunks.length === 0) return whole.length === 0 ? [] : [{ bytes: whole }]
  let offset = 0
  return chunks.map((chunk) => {
    if (chunk.length === undefined) return { bytes: chunk.text ?? bytesOfBody(chunk), encoded: chunk.encoded }
    offset += chunk.length
    return { bytes: whole.subarray(offset - chunk.length, offset) }
  })
}

/** Returns a head with the digests that are still cut out, computed from the body that is given. */
export function withComputedDigests(method: string, head: AnswerHead): AnswerHead {
  if (head.digests === undefined) return head
  const body = givenBody(method, head, head.body?.() ?? { pieces: [], isWhole: true })
  return withDigests(head, ([, , algorithm, form]) => digestOf(body, algorithm, form))
}
