import { withPort } from './contact.ts'

/** A socket's information about the other end. */
interface Open {
  readonly remoteAddress?: string | undefined
  readonly remotePort?: number | undefined
}

/** The peer of an open socket: the name that Node looked up for it, or the address. Undefined for a pipe, because Node keeps nothing. */
export function peerOf(socket: Open): string | undefined {
  const { remoteAddress, remotePort } = socket
  const name: unknown = Reflect.get(socket, '_host') ?? remoteAddress
  return typeof name === 'string' && remotePort !== undefined ? withPort(name, remotePort) : undefined
}
