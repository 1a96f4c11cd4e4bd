import type { CallRow, HttpInput } from '../trace/rows.ts'
import { hostOf } from './host-of.ts'

/**
 * Telemetry hosts (error trackers, tracing exporters, product analytics), muted by default because telemetry sends its batches at any time.
 * A name includes its subdomains.
 */
export const telemetryHosts: readonly string[] = [
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

/** Returns whether a URL's host is one of `hosts` or a subdomain of one, with its port (`localhost:4318`) or without. */
export function isHostOf(url: string, hosts: readonly string[]): boolean {
  const { host, hostname } = hostOf(url)
  return hosts.some((name) => name === host || name === hostname || isBelow(hostname, name))
}

/**
 * Returns whether a contact of any kind (`api.honeycomb.io:443`, the path of a socket) is telemetry: with a muted host, or with a collector,
 * by OpenTelemetry's ports.
 *
 * Source: https://opentelemetry.io/docs/specs/otlp/ (4317 for gRPC, 4318 for HTTP).
 *
 * @param mutes Returns whether a URL's host is muted.
 */
export function isTelemetryContact(contacted: string, mutes: (url: string) => boolean): boolean {
  return /:431[78]$/.test(contacted) || (/^[\w.-]+(?::\d+)?$/.test(contacted) && mutes(`https://${contacted}`))
}

/** Called for every request and host, so it creates no strings. */
function isBelow(hostname: string, name: string): boolean {
  return hostname.endsWith(name) && hostname.at(-name.length - 1) === '.'
}

/** Returns whether a recorded call went to a muted URL. */
export function isMutedCall({ boundary, input }: Pick<CallRow, 'boundary' | 'input'>, mutes: (url: string) => boolean): boolean {
  return (boundary === 'http' || boundary === 'model') && mutes((input as HttpInput).url)
}
