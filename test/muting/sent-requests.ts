import { gzipSync } from 'node:zlib'
import type { JudgedRequest } from '../../src/http/telemetry/judge-telemetry.ts'

/** A request as an SDK sent it to a server on loopback, in November 2026; shortened where nothing depends on it. */
export interface SentRequest extends Pick<JudgedRequest, 'method' | 'headers'> {
  readonly sdk: string
  readonly path: string
  readonly body?: string | Uint8Array
}

const json = [['content-type', 'application/json']] as const
const gzip = [...json, ['content-encoding', 'gzip']] as const
const run = { trace_id: '01a2232d-9be6-7000-8000-00b121ad69be', dotted_order: '20261128T172201318001Z01a2232d-9be6-7000-8000-00b121ad69be' }

/** Captured from the SDKs' own requests. Each goes to a host of the user's own. */
export const telemetryRequests: readonly SentRequest[] = [
  {
    sdk: '@sentry/node 11.12',
    method: 'POST',
    path: '/api/42/envelope/?sentry_version=7&sentry_key=abc',
    headers: [],
    body: '{"sent_at":"2026-11-28T17:22:00.173Z"}\n{"type":"span","item_count":1}\n{"version":2,"items":[]}',
  },
  {
    sdk: 'posthog-node 5.70',
    method: 'POST',
    path: '/batch/',
    headers: gzip,
    body: gzipSync('{"api_key":"phc_x","batch":[{"event":"e","properties":{},"distinct_id":"u"}]}'),
  },
  {
    sdk: 'langfuse 3.38',
    method: 'POST',
    path: '/api/public/ingestion',
    headers: json,
    body: '{"batch":[{"id":"d7fb1f79","type":"trace-create","body":{"name":"t"}}]}',
  },
  {
    sdk: 'langsmith 0.12',
    method: 'POST',
    path: '/api/v1/runs/multipart',
    headers: [['content-type', 'multipart/form-data; boundary=----LangSmithFormBoundaryl4lsfyuprfi']],
    body: '------LangSmithFormBoundaryl4lsfyuprfi\r\nContent-Disposition: form-data; name="post.01a2232d-9ad0-7000-8000-0327653fc30e"\r\n\r\n{}\r\n',
  },
  { sdk: 'langsmith 0.12', method: 'POST', path: '/runs', headers: json, body: JSON.stringify({ name: 'r', run_type: 'llm', ...run }) },
  {
    sdk: 'langsmith 0.12',
    method: 'PATCH',
    path: '/runs/01a2232d-9be6',
    headers: json,
    body: JSON.stringify({ outputs: { o: 1 }, ...run }),
  },
  {
    sdk: 'braintrust 3.35',
    method: 'POST',
    path: '/logs3',
    headers: json,
    body: '{"rows": [{"id":"688821fec4c699a4"}], "api_version": 2}',
  },
  {
    sdk: '@amplitude/analytics-node 1.5',
    method: 'POST',
    path: '/2/httpapi',
    headers: json,
    body: '{"api_key":"key","events":[{"event_type":"e","user_id":"user1"}],"options":{}}',
  },
  {
    sdk: '@segment/analytics-node 3.1',
    method: 'POST',
    path: '/v1/batch',
    headers: json,
    body: '{"batch":[{"event":"e","type":"track","userId":"u","messageId":"node-next-1"}],"writeKey":"k","sentAt":"2026-11-28T17:22:02.596Z"}',
  },
  {
    sdk: 'libhoney 4.3',
    method: 'POST',
    path: '/1/batch/d',
    headers: [...json, ['x-honeycomb-team', 'k']],
    body: '[{"time":"2026-11-28T17:22:02.771Z","samplerate":1,"data":{"a":1}}]',
  },
  {
    sdk: '@axiomhq/js 1.3',
    method: 'POST',
    path: '/v1/datasets/d/ingest',
    headers: [['content-type', 'application/x-ndjson']],
    body: '{"a":1}',
  },
  {
    sdk: '@bugsnag/node 9.0',
    method: 'POST',
    path: '/',
    headers: [...json, ['bugsnag-api-key', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa']],
    body: '{"notifier":{"name":"Bugsnag Node"},"events":[{}]}',
  },
  {
    sdk: 'rollbar 3.1',
    method: 'POST',
    path: '/api/1/item/',
    headers: json,
    body: '{"data":{"timestamp":1795886545,"environment":"development","level":"error","body":{"message":{"body":"x"}}}}',
  },
  {
    sdk: '@opentelemetry/exporter-trace-otlp-http 0.223',
    method: 'POST',
    path: '/v1/traces',
    headers: gzip,
    body: gzipSync('{"resourceSpans":[{"resource":{"attributes":[]},"scopeSpans":[]}]}'),
  },
  {
    // One ResourceSpans, with a Resource that has the attribute service.name: abc.
    sdk: '@opentelemetry/exporter-trace-otlp-proto 0.223',
    method: 'POST',
    path: '/otlp/v1/traces',
    headers: [['content-type', 'application/x-protobuf']],
    body: Buffer.from('0a190a170a150a0c736572766963652e6e616d6512050a03616263', 'hex'),
  },
  {
    sdk: 'statsig-node 6.5',
    method: 'POST',
    path: '/v1/log_event',
    headers: gzip,
    body: gzipSync('{"statsigMetadata":{"sdkType":"statsig-node"},"events":[]}'),
  },
  {
    sdk: '@launchdarkly/node-server-sdk 9.13',
    method: 'POST',
    path: '/bulk',
    headers: [...json, ['x-launchdarkly-instance-id', 'i']],
    body: '[{"kind":"index","context":{"key":"u","kind":"user"}}]',
  },
  {
    sdk: 'unleash-client 6.12',
    method: 'POST',
    path: '/api/client/metrics',
    headers: [...json, ['unleash-appname', 'a']],
    body: '{"appName":"a","bucket":{"toggles":{}}}',
  },
  {
    sdk: 'winston-loki 6.1',
    method: 'POST',
    path: '/loki/api/v1/push',
    headers: json,
    body: '{"streams":[{"stream":{"level":"info"},"values":[["1795886546867000000","x"]]}]}',
  },
  {
    sdk: '@openai/agents',
    method: 'POST',
    path: '/v1/traces/ingest',
    headers: json,
    body: '{"data":[{"object":"trace","id":"trace_1"},{"object":"trace.span","id":"span_1"}]}',
  },
]

/** Requests of agents that resemble telemetry by their host or their path. */
export const callsOfAgents: readonly (readonly [what: string, request: Omit<SentRequest, 'sdk' | 'path'> & { readonly url: string }])[] = [
  ['a query of metrics', { method: 'GET', url: 'https://api.datadoghq.com/api/v1/query?query=avg:cpu', headers: [] }],
  [
    'a search in logs',
    { method: 'POST', url: 'https://api.datadoghq.com/api/v2/logs/events/search', headers: json, body: '{"filter":{"query":"error"}}' },
  ],
  [
    'a query of events',
    { method: 'POST', url: 'https://us.posthog.com/api/projects/1/query/', headers: json, body: '{"query":{"kind":"HogQLQuery"}}' },
  ],
  ['a query of an issue tracker', { method: 'GET', url: 'https://sentry.io/api/0/issues/1/', headers: [] }],
  [
    'a query of traces',
    { method: 'POST', url: 'https://api.smith.langchain.com/runs/query', headers: json, body: '{"filter":"eq(name, 1)"}' },
  ],
  ['a prompt', { method: 'GET', url: 'https://cloud.langfuse.com/api/public/v2/prompts/support', headers: [] }],
  ['a prompt of LangSmith', { method: 'GET', url: 'https://api.smith.langchain.com/commits/-/support/latest', headers: [] }],
  [
    'a model call through Helicone',
    { method: 'POST', url: 'https://oai.helicone.ai/v1/chat/completions', headers: json, body: '{"model":"gpt-4.1","messages":[]}' },
  ],
  [
    'a model call through Braintrust',
    { method: 'POST', url: 'https://gateway.braintrust.dev/v1/messages', headers: json, body: '{"model":"claude","messages":[]}' },
  ],
  [
    'a model call below a path of telemetry',
    {
      method: 'POST',
      url: 'https://gateway.example/v1/traces/v1/chat/completions',
      headers: json,
      body: '{"model":"gpt-4.1","messages":[]}',
    },
  ],
  [
    'a payment that is captured',
    { method: 'POST', url: 'https://pay.example/v1/payments/p_1/capture', headers: json, body: '{"token":"tok_1","event":"capture"}' },
  ],
  ['a route of a parcel', { method: 'POST', url: 'https://parcels.example/track', headers: json, body: '{"parcel":"p_1"}' }],
  [
    'an event of a calendar',
    { method: 'POST', url: 'https://calendar.example/v1/track', headers: json, body: '{"event":"lunch","at":"12:00"}' },
  ],
  ['entries of a logbook', { method: 'POST', url: 'https://ship.example/v1/logs', headers: json, body: '{"entries":["left port"]}' }],
  [
    'traces of a lab',
    {
      method: 'POST',
      url: 'https://lab.example/v1/traces',
      headers: [['content-type', 'application/x-protobuf']],
      body: Buffer.from('0802', 'hex'),
    },
  ],
  ['a batch of jobs', { method: 'POST', url: 'https://jobs.example/batch', headers: json, body: '{"batch":[{"job":"resize"}]}' }],
  [
    'a run of an assistant',
    { method: 'POST', url: 'https://api.openai.com/v1/threads/t/runs', headers: json, body: '{"assistant_id":"a"}' },
  ],
  ['a batch of model calls', { method: 'POST', url: 'https://api.openai.com/v1/batches', headers: json, body: '{"input_file_id":"f"}' }],
  [
    'a table of DynamoDB',
    {
      method: 'POST',
      url: 'https://dynamodb.eu-west-1.amazonaws.com/',
      headers: [['content-type', 'application/x-amz-json-1.0']],
      body: '{}',
    },
  ],
  ['a shop of that name', { method: 'POST', url: 'https://api.example/api/42/store', headers: json, body: '{"name":"corner shop"}' }],
  ['any read', { method: 'GET', url: 'https://o1.ingest.sentry.io/api/42/envelope/', headers: [] }],
]
