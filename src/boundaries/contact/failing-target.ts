import type { TcpSocketConnectOpts } from 'node:net'
import type { Refusal } from './make-contact.ts'

/** A host that cannot be looked up: whoever is told to connect to it fails with the refusal's error, and Node does all the rest. */
export function failingTarget({ error, later }: Refusal): TcpSocketConnectOpts {
  return { host: 'refused', port: 1, lookup: (_host, _options, callback) => later(() => callback(error, '')) }
}
