import { once, type EventEmitter } from 'node:events'
import { writeFileSync } from 'node:fs'
import net, { type Socket } from 'node:net'
import path from 'node:path'

/** What can be reached. */
export const services = ['echo', 'banner', 'tls', 'http2', 'http', 'https', 'udp', 'dns', 'unix'] as const
export type Service = (typeof services)[number]

/** What a way out finds: a world that counts what reaches it. */
export interface World {
  /** Ports on 127.0.0.1, by what speaks there; all but `banner` speak when they are spoken to. */
  readonly ports: Readonly<Record<Service, number>>
  /** A path of a unix socket. */
  readonly path: string
  /** A folder for what programs, workers and databases write: files whose names begin with `written` count. */
  readonly folder: string
  /** A name to look up. */
  readonly name: string
  /** Whom to ask for names, as `setServers` takes it. Default: the system's. */
  readonly nameServer?: string
}

/** A way to the world. */
export interface Way {
  readonly name: string
  /** What of the world it needs. Default: all. */
  readonly needs?: readonly Service[]
  /** What there was before the run: a connection, a worker, a function that was bound. Default: nothing. */
  readonly before?: (world: World) => unknown
  /** Takes it; resolves when the world was reached, rejects when it was not. */
  take(world: World, opened: never): Promise<unknown>
  /** Why it is open: the words of `docs/doors.md` that list it. Default: it is not. */
  readonly open?: string
  /** The same in a test of one's own, where the agent does not wait for it. Default: it is not. */
  readonly openWhenLeft?: string
  /** It puts an end to the process, where it gets out: its run has no recording. */
  readonly endsProcess?: true
  /** Whether this Node, or this machine, does not have it. Default: each has. */
  readonly isMissing?: () => boolean
}

export const HOST = '127.0.0.1'

/** What an emitter comes to: what it emits, or its error. */
export function heard(emitter: EventEmitter, event: string): Promise<unknown> {
  emitter.on('error', () => undefined)
  return once(emitter, event)
}

/** A connection that is open. */
export async function opened(port: number): Promise<Socket> {
  const socket = net.connect(port, HOST)
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  return socket
}

/** What comes to whoever waits for a callback. */
export function byCallback(query: (callback: (error?: Error | null) => void) => unknown): Promise<void> {
  return new Promise((resolve, reject) => query((error) => (error === null || error === undefined ? resolve() : reject(error))))
}

/** Leaves word of what no server can count: that a name was answered, that something listens. */
export function leaveWord(world: World): void {
  writeFileSync(path.join(world.folder, 'written-word'), 'reached')
}

export function raise(error: Error | undefined): void {
  if (error !== undefined) throw error
}
