import type { Attributes } from '@opentelemetry/api'
import { attribute } from './attributes.ts'

/** The host of a URL, without its port; empty where it has none. */
export function hostnameOf(url = ''): string {
  return URL.canParse(url) ? new URL(url).hostname : ''
}

/** The server that a URL leads to. */
export function serverAttributes(url: string): Attributes {
  if (!URL.canParse(url)) return {}
  const { hostname, port, protocol } = new URL(url)
  if (hostname === '') return {}
  const usual = protocol === 'https:' ? 443 : 80
  return { [attribute.serverAddress]: hostname, [attribute.serverPort]: port === '' ? usual : Number(port) }
}
