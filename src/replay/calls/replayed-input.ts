import { isUint8Array } from 'node:util/types'
import { remember } from '../../trace/remember.ts'
import { canonicalInput } from '../../divergence/canonical-input.ts'
import type { PathRules } from '../../divergence/path-rules.ts'
import { type BlankedText, blankStandIns, type KnownStandIns } from '../../divergence/stand-ins.ts'
import { requestBodyFromText, textFromBytes } from '../../trace/body.ts'
import type { Boundary } from '../../trace/boundary.ts'
import type { SentCredential } from '../../http/sent-credentials.ts'
import { credentialMark } from '../../trace/credential-mark.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import type { CallRow, HttpBody, HttpInput } from '../../trace/rows.ts'
import type { TakenSecrets } from '../../redaction/repeated-secrets.ts'
import { toRecorded } from '../../trace/values.ts'
import type { ComparedCall, ComparedHeaders } from './compared-headers.ts'
import type { ReplayRedaction } from './replay-redaction.ts'
import { isPrintOf } from './printed-json.ts'
import { decodedBody } from '../../http/decode-body.ts'
import { headerValue } from '../../http/headers.ts'
import type { ExchangeStart } from '../../run/active-run.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The input of a call. Compared as cheaply as possible: first unchanged, and in canonical form only if that differs. */
export interface ReplayedInput {
  /** In recorded form, redacted. */
  readonly value: unknown
  readonly canonical: string
  /** The same, with stand-ins as variables. */
  readonly blanked: BlankedText
  /** In whose name the call is made, and values of the environment. */
  readonly credentials: readonly SentCredential[]
  /** The client that makes the request, by its `user-agent`. */
  readonly client?: string | undefined
  /** For a function's input: what was taken out of it, once it was redacted. */
  readonly taken?: TakenSecrets | undefined
  /** Whether it equals the recorded input byte for byte. */
  isSameAs(recorded: RecordedInput): boolean
}

/** How the inputs of this replay are processed before they are compared. */
export interface ReplaySide {
  readonly redaction: Pick<ReplayRedaction, 'redactor' | 'renaming'>
  readonly rules: PathRules
  readonly headers: ComparedHeaders
}

/** An input in its several forms, each created on first use. */
abstract class Compared implements ReplayedInput {
  abstract readonly credentials: readonly SentCredential[]
  readonly #boundary: Boundary
  readonly #name: string
  readonly #rules: PathRules
  readonly #standIns: KnownStandIns
  #value: unknown
  #canonical: string | undefined
  #blanked: BlankedText | undefined

  constructor(boundary: Boundary, name: string, rules: PathRules, standIns: KnownStandIns) {
    this.#boundary = boundary
    this.#name = name
    this.#rules = rules
    this.#standIns = standIns
  }

  get value(): unknown {
    return (this.#value ??= this.read())
  }

  get canonical(): string {
    return (this.#canonical ??= canonicalInput(this.#boundary, this.#name, this.value, this.#rules))
  }

  get blanked(): BlankedText {
    return (this.#blanked ??= blankStandIns(this.canonical, this.#standIns))
  }

  abstract isSameAs(recorded: RecordedInput): boolean
  protected abstract read(): unknown
}

/** The input of a recorded call. */
export class RecordedInput extends Compared {
  readonly call: ComparedCall
  #text: string | undefined

  /** @param standIns Those of its run. */
  constructor(call: ComparedCall, rules: PathRules, standIns: KnownStandIns) {
    super(call.boundary, call.name, rules, standIns)
    this.call = call
  }

  /** The stand-ins of both runs, where two recorded runs are compared. */
  get credentials(): readonly SentCredential[] {
    return (this.call.credentials ?? []).map(({ at, value, text }) => ({ at, value: value ?? text ?? '' }))
  }

  /** A function's input as text. */
  get text(): string | undefined {
    return (this.#text ??= JSON.stringify(this.value))
  }

  /** Whether this is the body of an HTTP input. */
  isBody(body: string | undefined): boolean {
    const { json, text, bytes } = this.call.input as HttpInput
    if (json === undefined || body === undefined) return json === undefined && bytes === undefined && text === body
    return isPrintOf(json, body)
  }

  isSameAs(recorded: RecordedInput): boolean {
    return recorded.canonical === this.canonical
  }

  protected read(): unknown {
    return toRecorded(this.call.input, ignoreUnkept)
  }
}

/** The input of a function call at the time of the call. Later changes to its arguments have no effect. */
export class FunctionInput extends Compared {
  readonly #recorded: unknown
  readonly #text: string | undefined
  readonly #redaction: ReplaySide['redaction']
  readonly credentials: readonly SentCredential[]
  taken: TakenSecrets | undefined

  constructor(
    boundary: Boundary,
    name: string,
    input: unknown,
    { rules, redaction }: ReplaySide,
    credentials: readonly SentCredential[] = [],
  ) {
    super(boundary, name, rules, redaction.renaming.sides.live)
    this.credentials = credentials
    this.#redaction = redaction
    this.#recorded = toRecorded(input, ignoreUnkept)
    this.#text = JSON.stringify(this.#recorded)
  }

  isSameAs(recorded: RecordedInput): boolean {
    return recorded.text === this.#text
  }

  protected read(): unknown {
    const { value, taken } = this.#redaction.redactor.takeFrom(this.#recorded)
    this.taken = taken
    return value
  }
}

/** The compared parts of an exchange. */
type ComparedExchange = Pick<CallRow, 'boundary' | 'name'> &
  Pick<HttpInput, 'method' | 'url' | 'headers' | 'redirect'> &
  Pick<ReplayedInput, 'credentials' | 'client'>

/** The input of an HTTP exchange. */
class ExchangeInput extends Compared {
  readonly #exchange: ComparedExchange
  readonly #side: ReplaySide
  readonly credentials: readonly SentCredential[]
  readonly client: string | undefined
  /** Kept only until the input is known to equal a recorded one. Otherwise a conversation would be kept each time it is resent. */
  #sent: Uint8Array | string | undefined
  #same: RecordedInput | undefined

  constructor(exchange: ComparedExchange, body: Uint8Array | string | undefined, side: ReplaySide) {
    super(exchange.boundary, exchange.name, side.rules, side.redaction.renaming.sides.live)
    this.#exchange = exchange
    this.#side = side
    this.credentials = exchange.credentials
    this.client = exchange.client
    this.#sent = body
  }

  isSameAs(other: RecordedInput): boolean {
    const { cut } = other.call
    if (cut !== undefined) return this.#isSameIfCut(cut, other)
    const { boundary, method, url, headers, redirect } = this.#exchange
    const recorded = other.call.input as HttpInput
    if (recorded.method !== method || recorded.redirect !== redirect || !areSameHeaders(recorded.headers, headers)) return false
    // A model call to a different host is the same call. In some URLs the model is part of the path.
    if (recorded.url !== url && (boundary === 'http' || behindHost(recorded.url) !== behindHost(url))) return false
    if (!other.isBody(isUint8Array(this.#sent) ? decoder.decode(this.#sent) : this.#sent)) return false
    return this.#is(other)
  }

  /** The recording has the part of the body that was sent before the call was aborted. How much was sent is a matter of chance. */
  #isSameIfCut(length: number, other: RecordedInput): boolean {
    const sent = this.#sent === undefined ? undefined : Buffer.from(this.#sent).subarray(0, length)
    return new ExchangeInput(this.#exchange, sent, this.#side).canonical === other.canonical && this.#is(other)
  }

  #is(other: RecordedInput): true {
    this.#same = other
    this.#sent = undefined
    return true
  }

  protected read(): unknown {
    const { method, url, headers, redirect } = this.#exchange
    const { redactor } = this.#side.redaction
    if (this.#same !== undefined) return { ...(this.#same.value as object), url: redactor.text(url) }
    const sent = this.#sent
    const { json, text, bytes } = sent === undefined ? {} : requestBody(sent)
    const input: HttpInput = {
      method,
      url: redactor.text(url),
      headers: headers.map((pair) => (pair[1].includes(credentialMark) ? pair : redactor.value(pair))),
      ...(redirect === undefined ? {} : { redirect }),
      ...(json === undefined ? {} : { json: redactor.value(toRecorded(json, ignoreUnkept)) }),
      ...(text === undefined ? {} : { text: redactor.text(text) }),
      ...(bytes === undefined ? {} : { bytes: redactor.bytes(bytes) }),
    }
    return toRecorded(input, ignoreUnkept)
  }
}

function requestBody(sent: string | Uint8Array): HttpBody {
  const text = typeof sent === 'string' ? sent.toWellFormed() : textFromBytes(sent)
  return text === undefined ? { bytes: sent as Uint8Array } : requestBodyFromText(text)
}

function areSameHeaders(one: HeaderPairs, other: HeaderPairs): boolean {
  return one.length === other.length && one.every(([name, value], index) => name === other[index]?.[0] && value === other[index]?.[1])
}

/** The path and query. */
const behindHost = remember((url) => {
  const path = url.indexOf('/', url.indexOf('//') + 2)
  return path === -1 ? '' : url.slice(path)
})

function ignoreUnkept(): void {
  // On both sides, values that cannot be kept become the same marker.
}

/** The input of an exchange with a known body. */
export function readExchange(
  start: ExchangeStart,
  boundary: Boundary,
  name: string,
  body: Uint8Array | string | undefined,
  side: ReplaySide,
): ReplayedInput {
  const { method, url } = start
  // A trace of format 1 or 2 does not say.
  const redirect = start.redirect === undefined || side.headers.askedBy.format < 3 ? {} : { redirect: start.redirect }
  const sent = typeof start.headers === 'function' ? start.headers() : start.headers
  const plain = typeof body === 'string' ? body : decodedBody(body, headerValue(sent, 'content-encoding'))
  const client = headerValue(sent, 'user-agent')
  return new ExchangeInput({ boundary, name, method, ...side.headers.of(url, sent), ...redirect, client }, plain, side)
}
