import type { Socket } from 'node:net'

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

/** The peer of an open socket: the name that Node looked up, or the address. Undefined for a pipe, for which Node keeps neither. */
export function peerOf(socket: Pick<Socket, 'remoteAddress' | 'remotePort'>): string | undefined {
  const { remoteAddress, remotePort } = socket
  const name: unknown = Reflect.get(socket, '_host') ?? remoteAddress
  return typeof name === 'string' && remotePort !== undefined ? withPort(name, remotePort) : undefined
}

/** The kind of contact that a connection over a socket makes. */
export function doorOf(socket: object): string {
  return 'encrypted' in socket && socket.encrypted === true ? 'tls' : 'tcp'
}
