import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import type { WriteOptions } from './command-values.ts'

/** The parts used of a connection of mongodb 6.6 to 7. Source: lib/cmap/connection.js. */
export interface MongoConnection extends EventEmitter {
  readonly address: string
  readonly socket: Socket
  /** The server's description of itself; null until it arrives. */
  readonly hello?: object | null
  sendWire(message: MongoMessage, options: CommandOptions, responseType?: unknown): AsyncGenerator<MongoReply>
  writeCommand(message: MongoMessage, options: unknown): Promise<unknown>
  readMany(options: unknown): AsyncGenerator<{ readonly moreToCome: boolean; parse(): Uint8Array }>
  onClose(): void
  onTimeout(): void
  cleanup(error: Error): void
}

/** A command being sent. Source: lib/cmap/commands.js, OpMsgRequest; an OpQueryRequest has no `command`. */
export interface MongoMessage {
  readonly command?: Readonly<Record<string, unknown>>
  /** Its bytes. Throws if it cannot be written as BSON. */
  toBin(): unknown
}

/** Source: lib/cmap/connection.js, CommandOptions. */
export interface CommandOptions extends WriteOptions {
  readonly session?: MongoSession
  readonly signal?: AbortSignal
}

/** A reply that is not parsed yet. Source: lib/cmap/wire_protocol/responses.js. */
export interface MongoReply {
  toBytes(): Uint8Array
}

/** Source: lib/sessions.js, ClientSession. */
export interface MongoSession {
  readonly transaction?: object
  inTransaction(): boolean
}

/** A server of a deployment. Source: lib/sdam/server.js. */
export interface MongoServerHandle extends EventEmitter {
  readonly description: { readonly maxWireVersion?: number; readonly minWireVersion?: number }
  readonly loadBalanced?: boolean
  readonly serverApi?: object
  /** Takes an operation in mongodb 6.21 to 7, and a namespace, a command and options before. */
  command(...args: unknown[]): Promise<unknown>
}

/** An operation on a server. Source: lib/operations/operation.js. */
export interface MongoOperation {
  readonly ns: MongoNamespace
  readonly session?: MongoSession
  readonly options?: CommandOptions
  readonly bsonOptions?: WriteOptions
  /** @param connection The command's connection. */
  buildCommand(connection: object, session: MongoSession | undefined): object
}

export interface MongoNamespace {
  readonly db: string
}

/** A client. Source: lib/mongo_client.js. */
export interface MongoClient extends EventEmitter {
  readonly options?: { readonly pkFactory?: { createPk(): object } }
  readonly s?: { readonly sessionPool?: object; readonly options?: MongoOptions }
}

/** The deployment options of a client, a pool and a monitor. Source: lib/connection_string.js. */
export interface MongoOptions {
  readonly replicaSet?: string
  readonly loadBalanced?: boolean
  hosts?: readonly (object | string)[]
  /** The name of the record that lists the hosts. */
  srvHost?: string
}
