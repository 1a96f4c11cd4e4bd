import { remember } from '../trace/remember.ts'

/** The host of a URL: with its port, without it, and with the port always present. */
export interface Host {
  readonly host: string
  readonly hostname: string
  /** The host with the protocol's port if the URL names none: `api.example:443`. */
  readonly address: string
}

/** Returns the host of a URL. */
export const hostOf: (url: string) => Host = remember((url) => {
  const { host, hostname, port, protocol } = new URL(url)
  const usual = protocol === 'http:' || protocol === 'ws:' ? 80 : 443
  return { host, hostname, address: `${hostname}:${port === '' ? usual : port}` }
})

/** Returns the URL of a request's target. A target that begins with two slashes is a path and names no host. */
export function urlOfTarget(origin: string, target: string): string {
  return (target.startsWith('/') ? new URL(`${origin}${target}`) : new URL(target, origin)).href
}
