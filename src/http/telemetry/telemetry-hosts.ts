import { hostOf } from '../host-of.ts'

/** The hosts that traces of formats 1 and 2 do not have, whatever was asked there. Such a trace is replayed by this list, so it does not change. */
export const hostsMutedBeforeFormat3: readonly string[] = [
  'sentry.io',
  'bugsnag.com',
  'rollbar.com',
  'datadoghq.com',
  'datadoghq.eu',
  'nr-data.net',
  'newrelic.com',
  'honeycomb.io',
  'lightstep.com',
  'grafana.net',
  'axiom.co',
  'logtail.com',
  'betterstack.com',
  'posthog.com',
  'segment.io',
  'mixpanel.com',
  'amplitude.com',
  'langfuse.com',
  'smith.langchain.com',
  'braintrust.dev',
  'helicone.ai',
  'traceloop.com',
  'arize.com',
]

/** Hosts of these products that answer model calls. Their telemetry goes to other hosts. */
const gateways: readonly string[] = [
  'oai.helicone.ai',
  'anthropic.helicone.ai',
  'gateway.helicone.ai',
  'ai-gateway.helicone.ai',
  'gateway.braintrust.dev',
]

/** The hosts and URLs that a project names. */
export interface NamedTelemetry {
  /** What it mutes. */
  readonly mute: readonly string[]
  /** What it records all the same. */
  readonly record: readonly string[]
}

/** Returns whether a URL's host is one of `hosts` or a subdomain of one, with its port (`localhost:4318`) or without. */
export function isHostOf(url: string, hosts: readonly string[]): boolean {
  const { host, hostname } = hostOf(url)
  return hosts.some((name) => name === host || name === hostname || isBelow(hostname, name))
}

/**
 * Returns whether a contact outside of runs is probably telemetry. Nothing is known of it but its host (`api.honeycomb.io:443`), and it is refused in any
 * case: this only decides whether it is reported.
 *
 * @see https://opentelemetry.io/docs/specs/otlp/ (4317 for gRPC, 4318 for HTTP)
 */
export function isTelemetryContact(contacted: string, { mute, record }: NamedTelemetry): boolean {
  if (/^[\w.-]+(?::\d+)?$/.test(contacted)) {
    const url = `https://${contacted}`
    if (isHostOf(url, [...record, ...gateways])) return false
    if (isHostOf(url, [...mute, ...hostsMutedBeforeFormat3])) return true
  }
  return isCollector(contacted)
}

/** Returns whether an address has a port of OpenTelemetry's collector. */
export function isCollector(address: string): boolean {
  return /:431[78]$/.test(address)
}

/** Called for every request and host, so it creates no strings. */
function isBelow(hostname: string, name: string): boolean {
  return hostname.endsWith(name) && hostname.at(-name.length - 1) === '.'
}
