import {
  amplitudeEvents,
  bugsnagEvents,
  datadogLogs,
  datadogSeries,
  heliconeLog,
  honeycombEvents,
  insightsItems,
  type IngestedForm,
  langSmithRun,
  langSmithRuns,
  logflareBatch,
  mixpanelEvents,
  openAiTraces,
  opikTraces,
  otlp,
  postHogEvents,
  rollbarItem,
  segmentEvents,
  sentryEvent,
  statsigEvents,
  weaveCalls,
  zipkinSpans,
} from './ingestion-bodies.ts'

/**
 * A request with which a program hands telemetry to a product. The path alone tells, unless one of `hosts`, `header` and `form` is given: then one of them
 * has to hold as well, because other services have the same path.
 */
export interface IngestionRequest {
  readonly product: string
  /** Default: `POST`. */
  readonly method?: 'PUT' | 'PATCH'
  /** Of the URL: `…` is any prefix, `:name` one segment, `{a,b}` one of several. A slash may follow. */
  readonly path: string
  /** Hosts that have this path, subdomains included. */
  readonly hosts?: readonly string[]
  /** The name of a header that only this product has. */
  readonly header?: string
  /** The form of the body. */
  readonly form?: IngestedForm
  /** Where the product describes it. */
  readonly source: string
}

const datadog = ['datadoghq.com', 'datadoghq.eu', 'ddog-gov.com']
const newRelic = ['newrelic.com', 'nr-data.net']
const betterStack = ['logtail.com', 'in.logs.betterstack.com', 'betterstackdata.com']

/** The requests that are muted by default. docs/muted.md has the same table. */
export const ingestionRequests: readonly IngestionRequest[] = [
  { product: 'OpenTelemetry', path: '…/v1/{traces,metrics,logs}', form: otlp, source: 'https://opentelemetry.io/docs/specs/otlp/' },
  {
    product: 'OpenTelemetry',
    path: '…/opentelemetry.proto.collector.{trace,metrics,logs}.v1.{Trace,Metrics,Logs}Service/Export',
    source: 'https://opentelemetry.io/docs/specs/otlp/',
  },
  { product: 'Zipkin', path: '…/api/v2/spans', form: zipkinSpans, source: 'https://zipkin.io/zipkin-api/' },
  {
    product: 'Jaeger',
    path: '…/jaeger.api_v2.CollectorService/PostSpans',
    source: 'https://www.jaegertracing.io/docs/1.76/architecture/apis/',
  },
  { product: 'Sentry', path: '…/api/:project/envelope', source: 'https://develop.sentry.dev/sdk/foundations/transport/envelopes/' },
  { product: 'Sentry', path: '…/api/:project/store', form: sentryEvent, source: 'https://develop.sentry.dev/sdk/foundations/transport/' },
  {
    product: 'Bugsnag',
    path: '/{,notify,sessions}',
    header: 'bugsnag-api-key',
    source: 'https://bugsnagerrorreportingapi.docs.apiary.io',
  },
  { product: 'Bugsnag', path: '/{notify,sessions}', form: bugsnagEvents, source: 'https://bugsnagerrorreportingapi.docs.apiary.io' },
  { product: 'Rollbar', path: '…/api/1/item', form: rollbarItem, source: 'https://docs.rollbar.com/reference/create-item' },
  {
    product: 'Datadog',
    path: '/v0.{3,4,5,6,7}/{traces,stats}',
    source: 'https://docs.datadoghq.com/tracing/guide/send_traces_to_agent_by_api/',
  },
  {
    product: 'Datadog',
    method: 'PUT',
    path: '/v0.{3,4,5,6,7}/{traces,stats}',
    source: 'https://docs.datadoghq.com/tracing/guide/send_traces_to_agent_by_api/',
  },
  { product: 'Datadog', path: '/evp_proxy/:version/api/v2/:intake', source: 'https://docs.datadoghq.com/llm_observability/setup/api/' },
  { product: 'Datadog', path: '/telemetry/proxy/api/v2/apmtelemetry', source: 'https://github.com/DataDog/dd-trace-js' },
  { product: 'Datadog', path: '…/api/v2/{apmtelemetry,llmobs}', source: 'https://docs.datadoghq.com/llm_observability/setup/api/' },
  { product: 'Datadog', path: '…/api/intake/llm-obs/v1/trace/spans', source: 'https://docs.datadoghq.com/llm_observability/setup/api/' },
  { product: 'Datadog', path: '…/profiling/v1/input', source: 'https://docs.datadoghq.com/profiler/' },
  { product: 'Datadog', path: '…/api/v0.2/{traces,stats}', hosts: datadog, source: 'https://docs.datadoghq.com/tracing/' },
  { product: 'Datadog', path: '…/api/v2/logs', form: datadogLogs, source: 'https://docs.datadoghq.com/api/latest/logs/#send-logs' },
  { product: 'Datadog', path: '…/v1/input', hosts: datadog, form: datadogLogs, source: 'https://docs.datadoghq.com/api/latest/logs/' },
  { product: 'Datadog', path: '/v1/input/:key', hosts: datadog, source: 'https://docs.datadoghq.com/api/latest/logs/' },
  {
    product: 'Datadog',
    path: '…/api/{v1,v2}/{series,distribution_points}',
    form: datadogSeries,
    source: 'https://docs.datadoghq.com/api/latest/metrics/#submit-metrics',
  },
  {
    product: 'New Relic',
    path: '/agent_listener/invoke_raw_method',
    source: 'https://github.com/newrelic/node-newrelic',
  },
  {
    product: 'New Relic',
    path: '/{log,metric,trace}/v1',
    hosts: newRelic,
    source: 'https://docs.newrelic.com/docs/data-apis/ingest-apis/',
  },
  {
    product: 'New Relic',
    path: '/v1/accounts/:account/events',
    hosts: newRelic,
    source: 'https://docs.newrelic.com/docs/data-apis/ingest-apis/event-api/',
  },
  {
    product: 'Honeycomb',
    path: '…/1/{batch,events}/:dataset',
    header: 'x-honeycomb-team',
    hosts: ['honeycomb.io'],
    form: honeycombEvents,
    source: 'https://api-docs.honeycomb.io/api/events',
  },
  { product: 'Grafana Loki', path: '…/loki/api/v1/push', source: 'https://grafana.com/docs/loki/latest/reference/loki-http-api/' },
  {
    product: 'Prometheus',
    path: '…/api/v1/{push,write}',
    header: 'x-prometheus-remote-write-version',
    source: 'https://prometheus.io/docs/specs/prw/remote_write_spec/',
  },
  { product: 'Axiom', path: '…/v1/datasets/:dataset/ingest', source: 'https://axiom.co/docs/restapi/endpoints/ingestIntoDataset' },
  { product: 'Axiom', path: '/v1/ingest/:dataset', hosts: ['axiom.co'], source: 'https://axiom.co/docs/restapi/ingest' },
  {
    product: 'Better Stack',
    path: '/{,metrics}',
    hosts: betterStack,
    source: 'https://betterstack.com/docs/logs/ingesting-data/http/logs/',
  },
  { product: 'Logflare', path: '…/{api/,}logs', hosts: ['logflare.app'], form: logflareBatch, source: 'https://docs.logflare.app/' },
  { product: 'Splunk', path: '/services/collector', source: 'https://docs.splunk.com/Documentation/Splunk/latest/Data/HECRESTendpoints' },
  {
    product: 'Splunk',
    path: '/services/collector/{event,raw}',
    source: 'https://docs.splunk.com/Documentation/Splunk/latest/Data/HECRESTendpoints',
  },
  { product: 'Elastic APM', path: '…/intake/v2/{events,rum/events}', source: 'https://www.elastic.co/docs/solutions/observability/apm/' },
  {
    product: 'Application Insights',
    path: '…/{v2,v2.1}/track',
    form: insightsItems,
    source: 'https://learn.microsoft.com/azure/azure-monitor/app/',
  },
  { product: 'PostHog', path: '…/{batch,capture,track,e}', form: postHogEvents, source: 'https://posthog.com/docs/api/capture' },
  { product: 'PostHog', path: '…/i/{v0,v1}/{e,ai,logs}', source: 'https://posthog.com/docs/api/capture' },
  {
    product: 'Segment, RudderStack',
    path: '…/v1/{batch,import,identify,track,page,screen,group,alias}',
    form: segmentEvents,
    source: 'https://segment.com/docs/connections/sources/catalog/libraries/server/http-api/',
  },
  {
    product: 'Mixpanel',
    path: '…/{track,import,engage,groups}',
    form: mixpanelEvents,
    source: 'https://developer.mixpanel.com/reference/',
  },
  {
    product: 'Amplitude',
    path: '…/{2/httpapi,batch}',
    form: amplitudeEvents,
    source: 'https://amplitude.com/docs/apis/analytics/http-v2',
  },
  { product: 'Langfuse', path: '…/api/public/ingestion', source: 'https://api.reference.langfuse.com' },
  { product: 'LangSmith', path: '…/runs/{batch,multipart}', form: langSmithRuns, source: 'https://api.smith.langchain.com/redoc' },
  { product: 'LangSmith', path: '…/runs', form: langSmithRun, source: 'https://api.smith.langchain.com/redoc' },
  {
    product: 'LangSmith',
    method: 'PATCH',
    path: '…/runs/:run',
    form: langSmithRun,
    source: 'https://api.smith.langchain.com/redoc',
  },
  { product: 'Braintrust', path: '…/logs3', source: 'https://github.com/braintrustdata/braintrust-sdk-javascript' },
  { product: 'Braintrust', path: '…/logs3/overflow', source: 'https://github.com/braintrustdata/braintrust-sdk-javascript' },
  {
    product: 'Helicone',
    path: '…/{oai,anthropic,custom}/v1/log',
    form: heliconeLog,
    source: 'https://docs.helicone.ai/getting-started/integration-method/custom',
  },
  { product: 'Arize', path: '/v1/log', hosts: ['arize.com'], source: 'https://arize.com/docs/ax' },
  {
    product: 'OpenAI',
    path: '…/v1/traces/ingest',
    form: openAiTraces,
    source: 'https://openai.github.io/openai-agents-js/guides/tracing/',
  },
  {
    product: 'Opik',
    path: '…/v1/private/{traces,spans}/batch',
    form: opikTraces,
    source: 'https://www.comet.com/docs/opik/reference/rest-api/overview',
  },
  {
    product: 'Weave',
    path: '…/call/{start,end,upsert_batch}',
    form: weaveCalls,
    source: 'https://docs.wandb.ai/weave/reference/service-api',
  },
  {
    product: 'Statsig',
    path: '…/{log_event,rgstr,sdk_exception}',
    form: statsigEvents,
    source: 'https://docs.statsig.com/http-api',
  },
  {
    product: 'LaunchDarkly',
    path: '…/{bulk,diagnostic}',
    header: 'x-launchdarkly-instance-id',
    source: 'https://launchdarkly.com/docs/sdk',
  },
  {
    product: 'Unleash',
    path: '…/client/{metrics,register}',
    header: 'unleash-appname',
    source: 'https://docs.getunleash.io/reference/api',
  },
  { product: 'Flagsmith', path: '…/analytics/flags', header: 'x-environment-key', source: 'https://docs.flagsmith.com' },
]
