import { isUint8Array } from 'node:util/types'
import { codingsOf } from '../../http/codings.ts'
import { hostOf } from '../../http/host-of.ts'
import { headerValue } from '../../http/headers.ts'
import { omitUndefined } from '../../trace/json.ts'
import type { HeaderPairs, HttpInput, HttpOutput, ReturnRow, Row, ThrowRow } from '../../trace/rows.ts'
import type { EntryBody, RawHead, RawPiece, RawRequest, SentRequest } from '../raw/raw-entry.ts'
import type { BodyRedaction } from '../../redaction/growing-redaction.ts'
import type { Places } from '../../redaction/places.ts'
import { redactionOf } from '../../redaction/redaction-of.ts'
import type { Redactor } from '../../redaction/redactor-types.ts'
import { createPieceDecoder, type PieceDecoder } from './piece-decoder.ts'
import { redactPiece } from './redacted-piece.ts'
import type { RequestBodies } from './request-bodies.ts'

/** Makes the rows of one HTTP exchange. */
export class ExchangeKeeper {
  readonly #request: RawRequest
  readonly #queue: Places<Row>
  readonly #redactor: Redactor
  readonly #bodies: RequestBodies
  readonly #fill: (row: Row) => void
  #contentType: string | undefined
  #redaction: BodyRedaction | undefined
  /** Set when the agent reads an encoded answer undecoded; the answer is decoded for the trace. */
  #isEncoded = false
  /** Undefined from the first piece that is not in the encoding. */
  #decoder: PieceDecoder | undefined

  constructor(request: RawRequest, queue: Places<Row>, redactor: Redactor, bodies: RequestBodies) {
    this.#request = request
    this.#queue = queue
    this.#redactor = redactor
    this.#bodies = bodies
    this.#fill = queue.reserve()
  }

  sent({ headers, attempt, encoding, cut }: SentRequest, body: EntryBody): void {
    const { step, owner, method, url, dialect, at } = this.#request
    const input: HttpInput = {
      method,
      url: this.#redactor.text(url),
      headers: this.#redactHeaders(headers),
      ...this.#bodies.read(body, encoding),
    }
    this.#fill({
      kind: 'call',
      step,
      owner,
      boundary: dialect === undefined ? 'http' : 'model',
      name: dialect ?? this.#redactor.text(hostOf(url).host),
      ...(attempt > 1 ? { attempt } : {}),
      ...(cut === undefined ? {} : { cut }),
      input,
      at,
    })
  }

  head({ kind, step, at, status, headers, url, encoding, ...mark }: RawHead): void {
    this.#isEncoded = encoding !== undefined
    this.#decoder = encoding === undefined ? undefined : createPieceDecoder(codingsOf(encoding) ?? [])
    const kept = this.#redactHeaders(headers)
    this.#contentType = headerValue(kept, 'content-type')
    const from = url === undefined ? {} : { url: this.#redactor.text(url) }
    this.#queue.push({ kind, step, at, status, headers: kept, ...from, ...mark })
  }

  piece({ step, at, ...mark }: RawPiece, body: EntryBody): void {
    if (!isUint8Array(body)) return
    const row = { ...mark, kind: 'chunk', step, at } as const
    const fill = this.#queue.reserve()
    const plain = this.#isEncoded ? this.#decode(body) : body
    if (plain === undefined) {
      this.#redaction?.end()
      return fill({ ...row, bytes: body.slice(), encoded: true })
    }
    this.#redaction ??= redactionOf(this.#redactor, this.#contentType)
    redactPiece(this.#redaction, plain, (redacted) => fill({ ...row, ...redacted }))
  }

  /** @param row Its error is redacted here. */
  settle(row: ReturnRow | ThrowRow): void {
    if (row.kind === 'throw') this.#queue.push(row)
    else if (row.by === undefined && this.#decoder?.end() === false) this.#settleCut(this.#redactTrailers(row))
    else this.#queue.push(this.#redactTrailers(row))
    this.end()
  }

  /** Settles an answer that does not end as its coding requires: its last chunk is empty and marked as encoded. */
  #settleCut({ sameTick, sameTurn, turns, ...row }: ReturnRow): void {
    const mark = omitUndefined({ sameTick, sameTurn, turns })
    this.#queue.push({ kind: 'chunk', step: row.step, at: row.at, bytes: new Uint8Array(), encoded: true, ...mark })
    this.#queue.push({ ...row, sameTick: true })
  }

  /** Writes the pieces that still wait for more of the answer as they are: nothing follows. */
  end(): void {
    this.#redaction?.end()
    this.#closeDecoder()
  }

  #decode(piece: Uint8Array): Uint8Array | undefined {
    try {
      return this.#decoder?.decode(piece)
    } catch {
      this.#closeDecoder()
      return undefined
    }
  }

  #closeDecoder(): void {
    this.#decoder?.close()
    this.#decoder = undefined
  }

  #redactTrailers(row: ReturnRow): ReturnRow {
    const { trailers } = (row.output ?? {}) as HttpOutput
    return trailers === undefined ? row : { ...row, output: { trailers: this.#redactHeaders(trailers) } }
  }

  #redactHeaders(headers: HeaderPairs): HeaderPairs {
    return headers.map(([name, value]) => [name, this.#redactor.text(value)])
  }
}
