import { remember } from '../trace/remember.ts'
import type { HeaderPairs } from '../trace/http-facts.ts'
import { withoutInfrastructureCookies } from './infrastructure-cookies.ts'

/** Request headers that are not compared, and why. A `*` stands for any characters. */
export interface LeftOutHeaders {
  readonly names: readonly string[]
  readonly why: string
}

/**
 * The request headers that are neither kept nor compared. Everything else that the caller sets is. docs/headers.md shows this table to users.
 */
export const leftOutHeaders: readonly LeftOutHeaders[] = [
  {
    why: 'Framing: how the message is transferred. The body is compared decoded.',
    names: [
      'accept-encoding',
      'connection',
      'content-encoding',
      'content-length',
      'expect',
      'grpc-accept-encoding',
      'grpc-encoding',
      'grpc-timeout',
      'host',
      'http2-settings',
      'keep-alive',
      'proxy-connection',
      'te',
      'trailer',
      'transfer-encoding',
      'upgrade',
      'x-amz-decoded-content-length',
      'x-amz-trailer',
    ],
  },
  {
    why: 'Who the client is: its version, language and telemetry. A new version of an SDK changes them.',
    names: [
      'amz-sdk-*',
      'anthropic-client-*',
      'sec-ch-*',
      'sec-fetch-*',
      'user-agent',
      'x-algolia-agent',
      'x-amz-user-agent',
      'x-client-info',
      'x-client-user-agent',
      'x-contentful-user-agent',
      'x-elastic-client-meta',
      'x-fern-*',
      'x-firebase-client',
      'x-goog-api-client',
      'x-launchdarkly-user-agent',
      'x-launchdarkly-wrapper',
      'x-ms-useragent',
      'x-sdk-version',
      'x-stainless-*',
      'x-stripe-client-telemetry',
      'x-stripe-client-user-agent',
      'x-user-agent',
      'x-weaviate-client*',
    ],
  },
  {
    why: 'Trace context: which trace and span of the telemetry the call belongs to.',
    names: [
      'b3',
      'baggage',
      'elastic-apm-traceparent',
      'grpc-trace-bin',
      'newrelic',
      'ot-tracer-*',
      'sentry-trace',
      'traceparent',
      'tracestate',
      'uber-trace-id',
      'uberctx-*',
      'x-amzn-trace-id',
      'x-b3-*',
      'x-cloud-trace-context',
      'x-datadog-*',
      'x-dynatrace*',
      'x-honeycomb-trace',
      'x-instana-*',
      'x-newrelic-*',
      'x-ot-span-context',
    ],
  },
  {
    why: 'Signatures, which depend on the key and the time.',
    names: [
      '*-hmac',
      '*-hmac-*',
      '*-sign',
      '*-signature',
      '*-signature-*',
      'signature',
      'signature-input',
      'svix-timestamp',
      'webhook-timestamp',
      'x-amz-content-sha256',
      'x-amz-date',
      'x-goog-date',
      'x-ms-content-sha256',
      'x-ms-date',
      'x-slack-request-timestamp',
    ],
  },
  {
    why: 'Digests of the body, which is compared itself.',
    names: [
      'content-digest',
      'content-md5',
      'digest',
      'repr-digest',
      'upload-checksum',
      'want-*digest',
      'x-amz-checksum-*',
      'x-amz-sdk-checksum-algorithm',
      'x-bz-content-sha1',
      'x-goog-hash',
      'x-ms-*-crc64',
      'x-ms-*-md5',
    ],
  },
  {
    why: 'Handshakes of WebSockets, whose keys are random. The protocol is compared.',
    names: ['sec-websocket-accept', 'sec-websocket-extensions', 'sec-websocket-key', 'sec-websocket-version'],
  },
  {
    why: 'What belongs to temporary credentials. The credential is compared.',
    names: ['x-amz-security-token', 'x-amz-s3session-token'],
  },
]

/**
 * Ids by which two systems find the same request in their logs. They are compared if the run drew them or was given them, and left out if they
 * came from elsewhere: a server's context, a counter of the process.
 */
export const correlationHeaders: LeftOutHeaders = {
  why: 'Correlation ids that came from outside the run. One that the run drew, or was given by its input or an answer, is compared.',
  names: [
    '*-correlation-id',
    '*-request-id',
    '*-trace-id',
    'client-request-id',
    'correlation-id',
    'request-id',
    'x-ms-client-request-id',
    'x-ms-correlation-request-id',
  ],
}

/** Idempotency keys that are called request ids. */
const idempotencyKeys: readonly string[] = ['paypal-request-id']

/** A value that a client sets by itself, and that asks for nothing in particular. */
export interface ClientDefault {
  readonly header: string
  readonly value: string
  readonly clients: string
}

/** These count as absent. docs/headers.md shows this table to users. */
export const clientDefaults: readonly ClientDefault[] = [
  { header: 'accept', value: '*/*', clients: '`fetch`, node-fetch, needle' },
  { header: 'accept', value: 'application/json, text/plain, */*', clients: 'axios' },
  { header: 'accept-language', value: '*', clients: '`fetch`' },
]

/** Returns whether a header is a correlation id by its name, in lower case. */
export const isCorrelation: (name: string) => boolean = remember(
  (name: string): boolean => correlation.test(name) && !idempotencyKeys.includes(name),
)

/**
 * Returns the headers that say what a request asks for: those that the caller set, without the left-out ones and the defaults of clients.
 *
 * @param headers What the caller set, with names in lower case.
 * @param named Names that count although the table leaves them out. Default: none.
 */
export function askingHeaders(headers: HeaderPairs, named: readonly string[] = []): HeaderPairs {
  const kept: (readonly [string, string])[] = []
  for (const pair of headers) {
    const [name, value] = pair
    if (name === 'cookie') {
      const asking = withoutInfrastructureCookies(value)
      if (asking !== '') kept.push(asking === value ? pair : [name, asking])
    } else if (isLeftOut(name) ? named.includes(name) : !isClientDefault(name, value)) kept.push(pair)
  }
  return kept
}

/**
 * Returns the headers of a dispatch of a `fetch` whose caller is unknown, because the client took `fetch` before it was replaced: without what
 * `fetch` adds. Source: Fetch standard, HTTP-network-or-cache fetch, and undici, lib/web/fetch/index.js.
 */
export function withoutFetchDefaults(headers: HeaderPairs): HeaderPairs {
  return headers.filter(([name, value]) => fetchDefaults[name]?.includes(value) !== true && !name.startsWith('sec-fetch-'))
}

/** Returns the headers that a trace of format 1 or 2 has and compares. @param named More of them, in lower case. Default: none. */
export function listedHeaders(headers: HeaderPairs, named: readonly string[] = []): HeaderPairs {
  return headers.filter(([name]) => isListed(name) || named.includes(name))
}

const isListed = remember(
  (name: string): boolean =>
    name === 'content-type' ||
    name === 'idempotency-key' ||
    (name.endsWith('-version') && !name.startsWith('x-stainless-')) ||
    name.endsWith('-beta'),
)

const fetchDefaults: Readonly<Record<string, readonly string[]>> = {
  'user-agent': ['node', 'undici'],
  // Of a WebSocket, and of requests that pass a cache.
  'cache-control': ['no-cache', 'max-age=0'],
  pragma: ['no-cache'],
}

const isLeftOut = remember((name: string): boolean => leftOut.test(name))

function isClientDefault(name: string, value: string): boolean {
  return name.startsWith('accept') && clientDefaults.some((usual) => usual.header === name && usual.value === value)
}

const correlation = matcherOf(correlationHeaders.names)
const leftOut = matcherOf(leftOutHeaders.flatMap(({ names }) => names))

/** Returns a pattern for names in which `*` stands for any characters. */
function matcherOf(names: readonly string[]): RegExp {
  return new RegExp(`^(?:${names.map((name) => name.replaceAll(/[.+?^$()|[\]{}\\]/g, String.raw`\$&`).replaceAll('*', '.*')).join('|')})$`)
}
