import { textFromBytes } from '../../trace/body.ts'
import { parseJson } from '../../trace/json.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import { decodedBody } from '../decode-body.ts'
import { headerValue } from '../headers.ts'

/** The form of a body that a product takes, in words and as a test of a body. */
export interface IngestedForm {
  readonly words: string
  readonly fits: (body: IngestedBody) => boolean
}

/** A request's body, decoded and parsed when it is first asked for. */
export class IngestedBody {
  readonly headers: HeaderPairs
  readonly #sent: Uint8Array | string | undefined
  #json: { readonly value: unknown } | undefined

  constructor(sent: Uint8Array | string | undefined, headers: HeaderPairs) {
    this.headers = headers
    this.#sent = decodedBody(sent, headerValue(headers, 'content-encoding'))
  }

  get bytes(): Uint8Array {
    return typeof this.#sent === 'string' ? Buffer.from(this.#sent) : (this.#sent ?? new Uint8Array())
  }

  get text(): string {
    return typeof this.#sent === 'string' ? this.#sent : (textFromBytes(this.bytes) ?? '')
  }

  /** Undefined if the body is not JSON. */
  get json(): unknown {
    this.#json ??= { value: parseJson(this.text) }
    return this.#json.value
  }

  /** The items of a list, or the only one. */
  get items(): readonly unknown[] {
    return Array.isArray(this.json) ? this.json : [this.json]
  }
}

/** @see https://github.com/open-telemetry/opentelemetry-proto */
export const otlp: IngestedForm = {
  words: '`resourceSpans`, `resourceMetrics` or `resourceLogs`, as JSON or Protobuf',
  fits: (body) =>
    ['resourceSpans', 'resourceMetrics', 'resourceLogs'].some((name) => hasList(body.json, name)) || isOtlpMessage(body.bytes),
}

export const zipkinSpans: IngestedForm = {
  words: 'a list of spans with `traceId` and `id`',
  fits: (body) => Array.isArray(body.json) && areAll(body.json, (span) => has(span, 'traceId', 'id')),
}

export const sentryEvent: IngestedForm = { words: '`event_id`', fits: ({ json }) => has(json, 'event_id') }

export const bugsnagEvents: IngestedForm = {
  words: '`notifier` with `events` or `sessionCounts`',
  fits: ({ json }) => has(json, 'notifier') && (hasList(json, 'events') || hasList(json, 'sessionCounts') || hasList(json, 'sessions')),
}

export const rollbarItem: IngestedForm = {
  words: '`data` with `environment` and `body`',
  fits: ({ json }) => has(json, 'data') && has(json.data, 'environment', 'body'),
}

export const datadogLogs: IngestedForm = {
  words: 'entries with `message` and `ddsource`, `ddtags` or `hostname`',
  fits: ({ items }) =>
    areAll(items, (entry) => has(entry, 'message') && ['ddsource', 'ddtags', 'hostname'].some((name) => has(entry, name))),
}

export const datadogSeries: IngestedForm = {
  words: '`series` of a `metric` with `points`',
  fits: ({ json }) => hasList(json, 'series') && areAll(json['series'], (each) => has(each, 'metric', 'points')),
}

export const honeycombEvents: IngestedForm = {
  words: 'a list of events with `data` and `time` or `samplerate`',
  fits: ({ json }) =>
    Array.isArray(json) && areAll(json, (event) => has(event, 'data') && (has(event, 'time') || has(event, 'samplerate'))),
}

export const logflareBatch: IngestedForm = {
  words: '`batch` of entries with `message` and `metadata`',
  fits: ({ json }) => hasList(json, 'batch') && areAll(json['batch'], (entry) => has(entry, 'message', 'metadata')),
}

export const insightsItems: IngestedForm = {
  words: 'items with `iKey` and `data`',
  fits: ({ items }) => areAll(items, (item) => has(item, 'iKey', 'data')),
}

export const postHogEvents: IngestedForm = {
  words: '`api_key` or `token` that begins with `phc_`, with an `event`, or a `batch` of them',
  fits: ({ json, items }) =>
    isFromPostHog(json)
      ? has(json, 'event') || (hasList(json, 'batch') && areAll(json['batch'], (each) => has(each, 'event')))
      : areAll(items, (each) => has(each, 'event') && isFromPostHog(each)),
}

export const segmentEvents: IngestedForm = {
  words: 'an event with `type` or `event`, `messageId` and `userId` or `anonymousId`, or a `batch` of them',
  fits: ({ json }) => (hasList(json, 'batch') ? areAll(json['batch'], isSegmentEvent) : isSegmentEvent(json)),
}

export const mixpanelEvents: IngestedForm = {
  words: '`event` with `properties`, or `$distinct_id`, as JSON or in the field `data`',
  fits: (body) => areAll(mixpanelItems(body), (item) => isMixpanelEvent(item) || has(item, '$distinct_id') || has(item, '$group_key')),
}

export const amplitudeEvents: IngestedForm = {
  words: '`api_key` with `events` that have an `event_type`',
  fits: ({ json }) => has(json, 'api_key') && hasList(json, 'events') && areAll(json['events'], (event) => has(event, 'event_type')),
}

export const langSmithRuns: IngestedForm = {
  words: '`post` or `patch`, as JSON or as parts of a form',
  fits: (body) =>
    hasList(body.json, 'post') || hasList(body.json, 'patch') || /name="(?:post|patch|feedback|attachment)\./.test(textOfForm(body)),
}

export const langSmithRun: IngestedForm = {
  words: '`trace_id` and `dotted_order`',
  fits: ({ json }) => has(json, 'trace_id', 'dotted_order'),
}

export const heliconeLog: IngestedForm = {
  words: '`providerRequest` and `providerResponse`',
  fits: ({ json }) => has(json, 'providerRequest', 'providerResponse'),
}

export const openAiTraces: IngestedForm = {
  words: '`data` of `trace` and `trace.span` objects',
  fits: ({ json }) =>
    hasList(json, 'data') && areAll(json['data'], (item) => has(item, 'object') && /^trace(?:\.span)?$/.test(String(item['object']))),
}

export const opikTraces: IngestedForm = {
  words: '`traces` or `spans`',
  fits: ({ json }) => hasList(json, 'traces') || hasList(json, 'spans'),
}

export const weaveCalls: IngestedForm = {
  words: '`start`, `end` or a `batch` of them',
  fits: ({ json }) => isWeaveCall(json) || (hasList(json, 'batch') && areAll(json['batch'], (each) => has(each, 'mode', 'req'))),
}

export const statsigEvents: IngestedForm = { words: '`statsigMetadata`', fits: ({ json }) => has(json, 'statsigMetadata') }

function isFromPostHog(value: unknown): value is Record<string, unknown> {
  return has(value) && [value['api_key'], value['token']].some((key) => typeof key === 'string' && key.startsWith('phc_'))
}

function isSegmentEvent(event: unknown): boolean {
  return has(event, 'messageId') && (has(event, 'type') || has(event, 'event')) && (has(event, 'userId') || has(event, 'anonymousId'))
}

function isMixpanelEvent(item: unknown): boolean {
  if (!has(item, 'event', 'properties')) return false
  return has(item['properties'], 'token') || has(item['properties'], 'time', 'distinct_id')
}

function isWeaveCall(value: unknown): boolean {
  return (has(value, 'start') && has(value['start'], 'op_name')) || (has(value, 'end') && has(value['end'], 'ended_at'))
}

/** The field `data` of a form has JSON, or JSON in Base64. */
function mixpanelItems(body: IngestedBody): readonly unknown[] {
  if (body.json !== undefined) return body.items
  const data = new URLSearchParams(body.text).get('data')
  if (data === null) return []
  const value = parseJson(data) ?? parseJson(Buffer.from(data, 'base64').toString())
  return Array.isArray(value) ? value : [value]
}

/** Returns a multipart form as text; its values may be any bytes. */
function textOfForm({ headers, bytes }: IngestedBody): string {
  const isForm = headerValue(headers, 'content-type')?.startsWith('multipart/form-data') === true
  return isForm ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1') : ''
}

/**
 * Whether bytes are an export request in Protobuf: field 1, any number of times, and nothing else; each a message that begins with its resource, its
 * scopes or its schema (fields 1 to 3).
 */
function isOtlpMessage(bytes: Uint8Array): boolean {
  let offset = 0
  while (offset < bytes.length) {
    if (bytes[offset] !== FIRST_MESSAGE) return false
    const { value: length, next } = readVarint(bytes, offset + 1)
    const end = next + length
    if (length === 0 || end > bytes.length || !RESOURCE_FIELDS.includes(bytes[next] ?? 0)) return false
    offset = end
  }
  return offset > 0
}

/** The tags of fields that are messages or text, by their numbers: 1, and 1 to 3. */
const FIRST_MESSAGE = 0x0a
const RESOURCE_FIELDS: readonly number[] = [0x0a, 0x12, 0x1a]

function readVarint(bytes: Uint8Array, offset: number): { readonly value: number; readonly next: number } {
  let value = 0
  for (let index = 0; index < 5; index += 1) {
    const byte = bytes[offset + index] ?? 0
    value += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return { value, next: offset + index + 1 }
  }
  return { value: Infinity, next: offset }
}

function has<Name extends string>(value: unknown, ...names: readonly Name[]): value is Record<Name | string, unknown> {
  return typeof value === 'object' && value !== null && names.every((name) => name in value)
}

function hasList(value: unknown, name: string): value is Record<string, readonly unknown[]> {
  return has(value, name) && Array.isArray(value[name])
}

/** An empty list says nothing of its items. */
function areAll(items: readonly unknown[] | undefined, is: (item: unknown) => boolean): boolean {
  return items !== undefined && items.length > 0 && items.every(is)
}
