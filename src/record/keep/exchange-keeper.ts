import { isUint8Array } from 'node:util/types'
import { codingsOf } from '../../http/codings.ts'
import { hostOf } from '../../http/host-of.ts'
import { headerValue } from '../../http/headers.ts'
import { takeUrlCredentials } from '../../http/sent-credentials.ts'
import { withoutLeftOut } from '../../http/left-out-headers.ts'
import { isInformational } from '../../trace/http-head.ts'
import type { Variables } from '../../node/variables.ts'
import { omitUndefined } from '../../trace/json.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import type { HttpInput, HttpOutput, ReturnRow, Row, ThrowRow, Undecoded } from '../../trace/rows.ts'
import type { EntryBody, RawHead, RawPiece, RawRequest, SentRequest } from '../raw/raw-entry.ts'
import type { BodyRedaction } from '../../redaction/growing-redaction.ts'
import type { Places } from '../../redaction/places.ts'
import { HeaderKeeper } from './header-keeper.ts'
import { keepCredentials } from './kept-credentials.ts'
import { redactionOf } from '../../redaction/redaction-of.ts'
import type { Redactor } from '../../redaction/redactor-types.ts'
import { AnswerDigests } from './answer-digests.ts'
import { refusalOf } from '../../http/decoder-refusals.ts'
import { createPieceDecoder, type PieceDecoder } from './piece-decoder.ts'
import { redactPiece } from './redacted-piece.ts'
import { RequestBodies } from './request-bodies.ts'

/** What the exchanges of a run share. */
export interface SharedByExchanges {
  readonly bodies: RequestBodies
  readonly headers: HeaderKeeper
  /** Returns the environment. */
  readonly variables: () => Variables
  /** The client of the last request by each name; kept up to date. */
  readonly clients: Map<string, string>
}

export function sharedByExchanges(redactor: Redactor, variables: () => Variables): SharedByExchanges {
  return { bodies: new RequestBodies(redactor), headers: new HeaderKeeper(redactor, variables), clients: new Map(), variables }
}

/** Makes the rows of one HTTP exchange. */
export class ExchangeKeeper {
  readonly #request: RawRequest
  readonly #queue: Places<Row>
  readonly #redactor: Redactor
  readonly #bodies: RequestBodies
  readonly #fill: (row: Row) => void
  readonly #headers: HeaderKeeper
  readonly #clients: Map<string, string>
  readonly #variables: () => Variables
  #contentType: string | undefined
  #redaction: BodyRedaction | undefined
  /** Set when the agent reads an encoded answer undecoded; the answer is decoded for the trace. */
  #isEncoded = false
  /** Set if headers of the answer may be digests of its body. */
  #digests: AnswerDigests | undefined
  #isChanged = false
  /** Undefined from the first piece that is not in the encoding. */
  #decoder: PieceDecoder | undefined

  constructor(request: RawRequest, queue: Places<Row>, redactor: Redactor, { bodies, headers, clients, variables }: SharedByExchanges) {
    this.#variables = variables
    this.#headers = headers
    this.#clients = clients
    this.#request = request
    this.#queue = queue
    this.#redactor = redactor
    this.#bodies = bodies
    this.#fill = queue.reserve()
  }

  sent({ headers, attempt, encoding, cut, client }: SentRequest, body: EntryBody): void {
    const { step, owner, method, url, redirect, dialect, at } = this.#request
    const name = dialect ?? this.#redactor.text(hostOf(url).host)
    const fromUrl = takeUrlCredentials(url)
    const fromHeaders = this.#headers.asked(headers)
    const credentials = [...keepCredentials(fromUrl.credentials, this.#redactor, this.#variables()), ...fromHeaders.credentials]
    const input: HttpInput = {
      method,
      url: this.#redactor.text(fromUrl.asked),
      headers: fromHeaders.asked,
      ...(redirect === undefined ? {} : { redirect }),
      ...this.#bodies.read(body, encoding),
    }
    const isNewClient = client !== undefined && this.#clients.get(name) !== client
    if (isNewClient) this.#clients.set(name, client)
    this.#fill({
      kind: 'call',
      step,
      owner,
      boundary: dialect === undefined ? 'http' : 'model',
      name,
      ...(attempt > 1 ? { attempt } : {}),
      ...(cut === undefined ? {} : { cut }),
      input,
      ...(credentials.length === 0 ? {} : { credentials }),
      ...(isNewClient ? { client: this.#redactor.text(client) } : {}),
      at,
    })
  }

  head({ kind, step, at, encoding, sameTick, sameTurn, turns, ...received }: RawHead): void {
    const { status, statusText, headers, url } = received
    const phrase = statusText === undefined ? {} : { statusText: this.#redactor.text(statusText) }
    const from = url === undefined ? {} : { url: this.#redactor.text(url) }
    const kept = withoutLeftOut({ ...received, ...phrase, ...from })
    if (!isInformational(status)) this.#answers(headers, encoding)
    this.#digests = isInformational(status) ? undefined : AnswerDigests.of(kept.headers)
    const digests = this.#digests?.head ?? { headers: kept.headers }
    this.#queue.push({
      kind,
      step,
      at,
      ...kept,
      ...digests,
      headers: this.#headers.answered(digests.headers),
      ...omitUndefined({ sameTick, sameTurn, turns }),
    })
  }

  #answers(headers: HeaderPairs, encoding: string | undefined): void {
    this.#isEncoded = encoding !== undefined
    this.#decoder = encoding === undefined ? undefined : createPieceDecoder(codingsOf(encoding) ?? [])
    this.#contentType = headerValue(headers, 'content-type')
  }

  piece({ step, at, ...mark }: RawPiece, body: EntryBody): void {
    if (!isUint8Array(body)) return
    const row = { ...mark, kind: 'chunk', step, at } as const
    const fill = this.#queue.reserve()
    this.#digests?.update(body)
    const plain = this.#isEncoded ? this.#decode(body) : body
    if (!isUint8Array(plain)) {
      this.#redaction?.end()
      return fill({ ...row, bytes: body.slice(), encoded: plain })
    }
    this.#redaction ??= redactionOf(this.#redactor, this.#contentType)
    redactPiece(this.#redaction, plain, (redacted, isChanged) => {
      if (isChanged) this.#isChanged = true
      fill({ ...row, ...redacted })
    })
  }

  /** @param row Its error is redacted here. */
  settle(row: ReturnRow | ThrowRow): void {
    if (row.kind === 'throw') this.#queue.push(row)
    else if (row.by === undefined) this.#complete(row)
    else this.#queue.push(row)
    this.end()
  }

  #complete(row: ReturnRow): void {
    const isCut = this.#decoder?.end() === false
    // Whether redaction changed the body is known once all of it is redacted.
    if (this.#digests !== undefined) this.#redaction?.end()
    const { trailers } = (row.output ?? {}) as HttpOutput
    const received = this.#digests?.received(this.#isChanged, this.#isEncoded)
    const kept = trailers === undefined ? undefined : this.#headers.answered(withoutLeftOut({ headers: trailers }).headers)
    const output = omitUndefined({ trailers: kept, received })
    const settled = Object.keys(output).length === 0 ? row : { ...row, output }
    if (isCut) this.#settleCut(settled)
    else this.#queue.push(settled)
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

  /** Returns the bytes that a piece adds, or why there are none. */
  #decode(piece: Uint8Array): Uint8Array | Undecoded {
    try {
      return this.#decoder?.decode(piece) ?? true
    } catch (error) {
      this.#closeDecoder()
      return refusalOf(error)
    }
  }

  #closeDecoder(): void {
    this.#decoder?.close()
    this.#decoder = undefined
  }
}
