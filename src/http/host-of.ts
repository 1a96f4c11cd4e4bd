import { remember } from '../node/remember.ts'

/** The host of a URL: with its port, without, and with its port spelled out. */
export interface Host {
  readonly host: string
  readonly hostname: string
  /** With the port of the protocol, if the URL names none: `api.example:443`. */
  readonly address: string
}

/** The host of a URL. */
export const hostOf: (url: string) => Host = remember((url) => {
  const { host, hostname, port, protocol } = new URL(url)
  const usual = protocol === 'http:' || protocol === 'ws:' ? 80 : 443
  return { host, hostname, address: `${hostname}:${port === '' ? usual : port}` }
})

/** The URL of a request's target. A path that begins with two slashes is one, and names no host. */
export function urlOfTarget(origin: string, target: string): string {
  return (target.startsWith('/') ? new URL(`${origin}${target}`) : new URL(target, origin)).href
}
