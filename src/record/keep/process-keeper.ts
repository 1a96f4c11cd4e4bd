import { isUint8Array } from 'node:util/types'
import { isAscii } from 'node:buffer'
import { knownOrMade } from '../../node/remember.ts'
import type { BodyRedaction } from '../../redaction/growing-redaction.ts'
import type { Places } from '../../redaction/places.ts'
import { redactionOf } from '../../redaction/redaction-of.ts'
import type { Redactor } from '../../redaction/redactor-types.ts'
import { textFromBytes } from '../../trace/body.ts'
import type { ReturnRow, Row, ThrowRow } from '../../trace/rows.ts'
import type { EntryBody, RawOutput } from '../raw/raw-entry.ts'

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
    const isText = isAscii(body)
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1')
    this.#redactionOf(stream).add(text, (redacted) => fill({ ...row, ...(isText ? { text: redacted } : toPiece(redacted)) }))
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

/** Returns text if the bytes are whole characters, else bytes. */
function toPiece(piece: string): { readonly text?: string; readonly bytes?: Uint8Array } {
  const bytes = new Uint8Array(Buffer.from(piece, 'latin1'))
  const text = textFromBytes(bytes)
  return text === undefined ? { bytes } : { text }
}
