import { isKey } from '../../models/realtime.ts'
import { withoutSecret } from './answer-headers.ts'
import { headerValue, toHeaderPairs, toRecord } from '../../http/headers.ts'
import { hostOf } from '../../http/host-of.ts'
import type { ConnectionStart } from '../../run/connections.ts'
import { askedInput } from '../../run/processes.ts'
import type { HeaderPairs } from '../../trace/http-facts.ts'
import { FORMAT_VERSION } from '../../trace/rows.ts'

/** An agent's connection as a step has it. */
export interface DescribedConnection extends Required<Pick<ConnectionStart, 'name' | 'input' | 'headers'>> {
  /** The same with the headers that say what it asks for: by this, a connection that is open already is known. */
  readonly open: { readonly name: string; readonly input: unknown }
  /** The host with its port. */
  readonly address: string
  /** The offered protocols, including any keys in them. */
  readonly offered: readonly string[]
}

/** Describes a connection by its handshake. Source: RFC 6455, section 4.1. */
export function describeConnection(url: string, source: unknown): DescribedConnection {
  const { pathname, searchParams } = new URL(url)
  const { host, address } = hostOf(url)
  const connection = `websocket ${host}${pathname}`
  // The keys of the agent's account are left out, because they differ in a test.
  const fields = [...searchParams].filter(([field]) => !isKey(connection, field))
  const headers = toHeaderPairs(source as HeaderPairs)
  const offered = headers.filter(([name]) => name === 'sec-websocket-protocol').flatMap(([, value]) => value.split(/\s*,\s*/))
  const input = {
    ...(fields.length === 0 ? {} : { query: toRecord(fields) }),
    ...(offered.length === 0 ? {} : { protocols: offered.map(withoutSecret) }),
  }
  const asked = askedInput({ owner: 0, name: connection, input, headers }, { format: FORMAT_VERSION })
  return { name: connection, input, headers, open: { name: connection, input: asked.input }, address, offered }
}

/** Which sides of a connection may refer to earlier messages in a compressed one. Source: RFC 7692, section 7.1.1. */
export interface Extensions {
  readonly serverKeepsWindow: boolean
  readonly clientKeepsWindow: boolean
  readonly isCompressed: boolean
}

/** Reads from a handshake's answer how messages are compressed. */
export function readExtensions(headers: HeaderPairs): Extensions {
  const extensions = headerValue(headers, 'sec-websocket-extensions') ?? ''
  return {
    serverKeepsWindow: !extensions.includes('server_no_context_takeover'),
    clientKeepsWindow: !extensions.includes('client_no_context_takeover'),
    isCompressed: extensions.includes('permessage-deflate'),
  }
}
