import { isUint8Array } from 'node:util/types'
import { knownOrMade } from '../../node/remember.ts'
import type { BodyRedaction } from '../../redaction/growing-redaction.ts'
import type { Places } from '../../redaction/places.ts'
import { redactionOf } from '../../redaction/redaction-of.ts'
import type { Redactor } from '../../redaction/redactor-types.ts'
import type { ReturnRow, Row, ThrowRow } from '../../trace/rows.ts'
import type { EntryBody, RawOutput } from '../raw/raw-entry.ts'
import { redactPiece } from './redacted-piece.ts'

/** The outputs that consist of lines of JSON. */
const lines: readonly (string | undefined)[] = ['message', 'metadata']

/** Makes the rows of one child process or one gRPC call. Each output is redacted as one text, because a secret may be cut anywhere. */
export class ProcessKeeper {
  readonly #queue: Places<Row>
  readonly #redactor: Redactor
  readonly #streams = new Map<string | undefined, BodyRedaction>()

  constructor(queue: Places<Row>, redactor: Redactor) {
    this.#queue = queue
    this.#redactor = redactor
  }

  output(output: RawOutput, body: EntryBody): void {
    if (!isUint8Array(body)) return
    const { stream } = output
    const row = { ...output, kind: 'chunk' } as const
    const fill = this.#queue.reserve()
    redactPiece(this.#redactionOf(stream), body, (redacted) => fill({ ...row, ...redacted }))
  }

  /** @param row Its error is redacted here. */
  settle(row: ReturnRow | ThrowRow): void {
    this.#queue.push(row)
    this.end()
  }

  /** Writes the pieces that still wait for more: nothing follows. */
  end(): void {
    for (const redaction of this.#streams.values()) redaction.end()
  }

  #redactionOf(stream: string | undefined): BodyRedaction {
    const contentType = lines.includes(stream) ? 'application/x-ndjson' : undefined
    return knownOrMade(this.#streams, stream, () => redactionOf(this.#redactor, contentType))
  }
}
