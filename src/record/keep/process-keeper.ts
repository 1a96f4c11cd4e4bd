import { isUint8Array } from 'node:util/types'
import { knownOrMade } from '../../trace/remember.ts'
import type { BodyRedaction } from '../../redaction/growing-redaction.ts'
import type { Places } from '../../redaction/places.ts'
import { redactionOf } from '../../redaction/redaction-of.ts'
import type { Redactor } from '../../redaction/redactor-types.ts'
import type { ReturnRow, Row, ThrowRow } from '../../trace/rows.ts'
import type { EntryBody, RawOutput } from '../raw/raw-entry.ts'
import { redactPiece } from './redacted-piece.ts'

/** Messages of a WebSocket, and among them the events in which a model's text arrives bit by bit. */
const messages = 'text'
const deltas = 'text deltas'
const deltaEvent = /^\{[^]{0,400}?"type"\s*:\s*"[\w.]+\.delta"/
const longestStart = 500

/** The outputs that consist of lines of JSON. */
const lines: readonly (string | undefined)[] = ['message', 'metadata', deltas]

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
    const row = { ...output, kind: 'chunk' } as const
    const fill = this.#queue.reserve()
    redactPiece(this.#redactionOf(this.#textOf(output.stream, body)), body, (redacted) => fill({ ...row, ...redacted }))
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

  /** Returns the text to which an output belongs. */
  #textOf(stream: string | undefined, body: Uint8Array): string | undefined {
    if (stream !== messages) return stream
    if (deltaEvent.test(Buffer.from(body.subarray(0, longestStart)).toString('latin1'))) return deltas
    // A connection may stay open for hours: what waits for more of a text waits only while the text arrives.
    this.#streams.get(deltas)?.end()
    this.#streams.delete(deltas)
    return stream
  }

  #redactionOf(text: string | undefined): BodyRedaction {
    const contentType = lines.includes(text) ? 'application/x-ndjson' : undefined
    return knownOrMade(this.#streams, text, () => redactionOf(this.#redactor, contentType))
  }
}
