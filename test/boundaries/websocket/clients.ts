import undici from 'undici'
import undici6 from 'undici6'
import undici7 from 'undici7'
import { WebSocket as WsSocket } from 'ws'
import type { Client } from './client-events.ts'

/** All clients that are tried, by name. */
export const clients: readonly (readonly [name: string, open: (url: string, protocols?: string[]) => Client])[] = [
  ['the ws package', (url, protocols) => new WsSocket(url, protocols) as never],
  ['the ws package without compression', (url, protocols) => new WsSocket(url, protocols, { perMessageDeflate: false }) as never],
  ['the global WebSocket', (url, protocols) => new WebSocket(url, protocols) as never],
  ["undici's WebSocket", (url, protocols) => new undici.WebSocket(url, protocols) as never],
  ["undici 7's WebSocket", (url, protocols) => new undici7.WebSocket(url, protocols) as never],
  ["undici 6's WebSocket", (url, protocols) => new undici6.WebSocket(url, protocols) as never],
]

/** The ws package's. */
export const openWs = (url: string): Client => new WsSocket(url) as never

/** Node's own. */
export const openGlobal = (url: string): Client => new WebSocket(url) as never
