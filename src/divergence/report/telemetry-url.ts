import type { HttpInput } from '../../trace/rows.ts'
import type { Divergence } from '../divergence.ts'

/** Words in the address of a service that takes telemetry. */
const sent =
  /(?:^|[/._-])(?:ingest|ingestion|telemetry|analytics|metrics|traces?|spans|logs|events?|track|tracking|collect|collector|beacon|envelope)(?:[/._-]|$)/i
/** The same for what is sent in the query of a `GET`. */
const asked = /(?:^|[/._-])(?:telemetry|analytics|track|tracking|collect|beacon|pixel)(?:[/._-]|$)/i

/**
 * Returns the address of a call that differs, without its query, if it looks like telemetry of a product that is not known. Such a call is compared like any
 * other.
 */
export function telemetryUrlOf({ boundary, cause, received, expected }: Divergence): string | undefined {
  if (boundary !== 'http') return undefined
  const { method, url } = ((cause === 'unexpected-call' ? received : expected) ?? {}) as Partial<HttpInput>
  if (typeof url !== 'string' || typeof method !== 'string' || !URL.canParse(url)) return undefined
  const { host, hostname, pathname, origin } = new URL(url)
  const words = method === 'GET' ? asked : sent
  if (!words.test(pathname) && !words.test(hostname)) return undefined
  return host === '' ? undefined : `${origin}${pathname}`
}
