import { canonicalInput } from '../divergence/canonical-input.ts'
import type { PathRules } from '../divergence/path-rules.ts'
import { blankStandIns, type BlankedText } from '../divergence/stand-ins.ts'
import type { Redactor } from '../record/redaction/redactor.ts'
import { bodyFromBytes } from '../trace/body.ts'
import type { Boundary } from '../trace/boundary.ts'
import type { CallRow, HeaderPairs, HttpInput } from '../trace/rows.ts'
import { toRecorded } from '../trace/values.ts'
import { isPrintOf } from './printed-json.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** What a call was made with, compared as cheaply as it can be: as it came first, in canonical form only where that differs. */
export interface LiveInput {
  /** In recorded form, redacted. */
  readonly value: unknown
  readonly canonical: string
  /** That with its stand-ins as variables. */
  readonly blanked: BlankedText
  /** Whether it is, byte for byte, what the recorded call was made with. */
  isSameAs(recorded: RecordedInput): boolean
}

/** What is done to the inputs of this replay before they are compared. */
export interface LiveSide {
  readonly redactor: Redactor
  readonly rules: PathRules
  /** Names of headers that are compared beside those that carry meaning always. */
  readonly headers?: readonly string[] | undefined
}

/** The input of a recorded call. */
export class RecordedInput {
  readonly call: CallRow
  readonly #rules: PathRules
  #text: string | undefined
  #canonical: string | undefined
  #blanked: BlankedText | undefined
  #value: unknown

  constructor(call: CallRow, rules: PathRules) {
    this.call = call
    this.#rules = rules
  }

  /** In recorded form. */
  get value(): unknown {
    return (this.#value ??= toRecorded(this.call.input, ignoreUnkept))
  }

  /** A function's input printed. */
  get text(): string | undefined {
    return (this.#text ??= JSON.stringify(this.value))
  }

  /** Whether this is the body of an HTTP input. */
  isBody(body: string | undefined): boolean {
    const { json, text, bytes } = this.call.input as HttpInput
    if (json === undefined || body === undefined) return json === undefined && bytes === undefined && text === body
    return isPrintOf(json, body)
  }

  get canonical(): string {
    return (this.#canonical ??= canonicalInput(this.call.boundary, this.call.name, this.value, this.#rules))
  }

  get blanked(): BlankedText {
    return (this.#blanked ??= blankStandIns(this.canonical))
  }
}

/** The input of a function call, as it is now: what the agent changes in its arguments later does not show. */
export function functionInput(boundary: Boundary, name: string, input: unknown, side: LiveSide): LiveInput {
  const recorded = toRecorded(input, ignoreUnkept)
  const text = JSON.stringify(recorded)
  return new Compared(
    boundary,
    name,
    () => side.redactor.value(recorded),
    (other) => other.text === text,
    side,
  )
}

/** The input of an HTTP exchange. */
export function httpInput(
  start: {
    readonly boundary: Boundary
    readonly name: string
    readonly method: string
    readonly url: string
    readonly headers: HeaderPairs
  },
  body: Uint8Array | string | undefined,
  side: LiveSide,
): LiveInput {
  const { redactor } = side
  const { boundary, name, method, url, headers } = start
  // Kept until it is known to be a recorded one: a conversation would be kept as often as it is resent.
  let sent = body
  let same: RecordedInput | undefined
  const read = (): HttpInput => {
    const kept = sent === undefined ? {} : bodyFromBytes(typeof sent === 'string' ? new TextEncoder().encode(sent) : sent)
    const { json, text, bytes } = kept
    return {
      method,
      url: redactor.text(url),
      headers: headers.map(([key, value]) => [key, redactor.text(value)]),
      ...(json === undefined ? {} : { json: redactor.value(toRecorded(json, ignoreUnkept)) }),
      ...(text === undefined ? {} : { text: redactor.text(text) }),
      ...(bytes === undefined ? {} : { bytes: redactor.bytes(bytes) }),
    }
  }
  const isSame = (other: RecordedInput): boolean => {
    const recorded = other.call.input as HttpInput
    if (recorded.method !== method || recorded.headers.length !== headers.length) return false
    // A model call on another host is the same call. Some addresses name the model, but behind the host.
    if (recorded.url !== url && (boundary === 'http' || behindHost(recorded.url) !== behindHost(url))) return false
    if (!headers.every(([key, value], index) => recorded.headers[index]?.[0] === key && recorded.headers[index]?.[1] === value))
      return false
    if (!other.isBody(sent instanceof Uint8Array ? decoder.decode(sent) : sent)) return false
    same = other
    sent = undefined
    return true
  }
  const value = (): unknown =>
    same === undefined ? toRecorded(read(), ignoreUnkept) : { ...(same.value as object), url: redactor.text(url) }
  return new Compared(boundary, name, value, isSame, side)
}

class Compared implements LiveInput {
  readonly #boundary: Boundary
  readonly #name: string
  readonly #read: () => unknown
  readonly #rules: PathRules
  readonly isSameAs: (recorded: RecordedInput) => boolean
  #value: unknown
  #canonical: string | undefined
  #blanked: BlankedText | undefined

  constructor(boundary: Boundary, name: string, read: () => unknown, isSameAs: (recorded: RecordedInput) => boolean, side: LiveSide) {
    this.#rules = side.rules
    this.#boundary = boundary
    this.#name = name
    this.#read = read
    this.isSameAs = isSameAs
  }

  get value(): unknown {
    return (this.#value ??= this.#read())
  }

  get canonical(): string {
    return (this.#canonical ??= canonicalInput(this.#boundary, this.#name, this.value, this.#rules))
  }

  get blanked(): BlankedText {
    return (this.#blanked ??= blankStandIns(this.canonical))
  }
}

/** Path and query. */
function behindHost(url: string): string {
  const path = url.indexOf('/', url.indexOf('//') + 2)
  return path === -1 ? '' : url.slice(path)
}

function ignoreUnkept(): void {
  // What cannot be kept is the same marker on both sides.
}
