import { canonicalInput } from '../divergence/canonical-input.ts'
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
  /** Whether it is, byte for byte, what the recorded call was made with. */
  isSameAs(recorded: RecordedInput): boolean
}

/** The input of a recorded call. */
export class RecordedInput {
  readonly call: CallRow
  #text: string | undefined
  #canonical: string | undefined
  #value: unknown

  constructor(call: CallRow) {
    this.call = call
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
    return (this.#canonical ??= canonicalInput(this.call.boundary, this.call.name, this.value))
  }
}

/** The input of a function call, as it is now: what the agent changes in its arguments later does not show. */
export function functionInput(boundary: Boundary, name: string, input: unknown, redactor: Redactor): LiveInput {
  const recorded = toRecorded(input, ignoreUnkept)
  const text = JSON.stringify(recorded)
  return new Compared(
    boundary,
    name,
    () => redactor.value(recorded),
    (other) => other.text === text,
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
  redactor: Redactor,
): LiveInput {
  const { boundary, name, method, url, headers } = start
  const read = (): HttpInput => {
    const kept = body === undefined ? {} : bodyFromBytes(typeof body === 'string' ? new TextEncoder().encode(body) : body)
    const { json, text, bytes } = kept
    return {
      method,
      url: redactor.text(url),
      headers: headers.map(([key, value]) => [key, redactor.text(value)]),
      ...(json === undefined ? {} : { json: redactor.value(toRecorded(json, ignoreUnkept)) }),
      ...(text === undefined ? {} : { text: redactor.text(text) }),
      ...(bytes === undefined ? {} : { bytes }),
    }
  }
  const isSame = (other: RecordedInput): boolean => {
    const recorded = other.call.input as HttpInput
    if (recorded.method !== method || recorded.headers.length !== headers.length) return false
    // A model call on another host is the same call. Some addresses name the model, but behind the host.
    if (recorded.url !== url && (boundary === 'http' || behindHost(recorded.url) !== behindHost(url))) return false
    if (!headers.every(([key, value], index) => recorded.headers[index]?.[0] === key && recorded.headers[index]?.[1] === value))
      return false
    return other.isBody(body instanceof Uint8Array ? decoder.decode(body) : body)
  }
  return new Compared(boundary, name, () => toRecorded(read(), ignoreUnkept), isSame)
}

class Compared implements LiveInput {
  readonly #boundary: Boundary
  readonly #name: string
  readonly #read: () => unknown
  readonly isSameAs: (recorded: RecordedInput) => boolean
  #value: unknown
  #canonical: string | undefined

  constructor(boundary: Boundary, name: string, read: () => unknown, isSameAs: (recorded: RecordedInput) => boolean) {
    this.#boundary = boundary
    this.#name = name
    this.#read = read
    this.isSameAs = isSameAs
  }

  get value(): unknown {
    return (this.#value ??= this.#read())
  }

  get canonical(): string {
    return (this.#canonical ??= canonicalInput(this.#boundary, this.#name, this.value))
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
