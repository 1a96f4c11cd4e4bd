/** A contact with the outside world that no boundary answers. */
export interface Contact {
  /** Its kind: `tcp`, `dns`, `child process`. */
  readonly door: string
  /** Its target: a host with its port, a path, a command. */
  readonly host: string
}

/** A host and a port as one text; an IPv6 address in brackets. */
export function withPort(host: unknown, port: unknown): string {
  const name = String(host)
  return `${name.includes(':') ? `[${name}]` : name}:${String(port)}`
}

/** The host of a URL with its port, spelled out. */
export function hostOf(url: string | URL): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port === '' ? (protocol === 'http:' || protocol === 'ws:' ? 80 : 443) : port}`
}
