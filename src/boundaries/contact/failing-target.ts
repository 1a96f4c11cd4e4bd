import type { TcpSocketConnectOpts } from 'node:net'
import type { Refusal } from './make-contact.ts'

/** A target whose look-up fails with the refusal's error; Node does the rest. */
export function failingTarget({ error, later }: Refusal): TcpSocketConnectOpts {
  return { host: 'refused', port: 1, lookup: (_host, _options, callback) => later(() => callback(error, '')) }
}
