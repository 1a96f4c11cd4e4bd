import type { EventEmitter } from 'node:events'
import type { TypeMapping } from './verbatim-texts.ts'

/** A class of clients of node-redis. */
export type NodeRedisClass = new (options: object) => NodeRedisClient

/** A client of node-redis. Source: @redis/client 6, lib/client/index.ts. */
export interface NodeRedisClient extends EventEmitter {
  readonly constructor: NodeRedisClass
  readonly options?: NodeRedisOptions
  /** Since version 5: the client itself, from which the agent's object inherits. */
  readonly _self?: NodeRedisClient
  /** Since version 5. */
  readonly _commandOptions?: CommandOptions
  readonly isOpen?: boolean
  connect(): Promise<unknown>
  disconnect(): Promise<unknown>
  /** Since version 5. */
  destroy?(): void
  multi(): NodeRedisMulti
  sendCommand(args: CommandArguments, options?: CommandOptions): Promise<unknown>
  /** Since version 5. */
  _executeMulti(commands: readonly QueuedArguments[], ...rest: unknown[]): Promise<unknown>
  /** Since version 5. */
  _executePipeline(commands: readonly QueuedArguments[], ...rest: unknown[]): Promise<unknown>
}

/** The options of a command. */
export interface CommandOptions {
  readonly typeMapping?: TypeMapping
  /** Since version 5; version 4 calls it `signal`. */
  readonly abortSignal?: AbortSignal
  readonly signal?: AbortSignal
  /** In milliseconds. */
  readonly timeout?: number
}

/** A transaction that is being built. */
export interface NodeRedisMulti {
  addCommand(args: CommandArguments): NodeRedisMulti
  exec(): Promise<unknown>
}

export interface NodeRedisOptions {
  readonly database?: number
  readonly socket?: { readonly host?: string; readonly port?: number; readonly path?: string }
}

/** A command's name and arguments. */
export type CommandArguments = readonly (string | Buffer)[]

/** A command of a transaction or a pipeline. */
export interface QueuedArguments {
  readonly args: CommandArguments
}

/** The queue in which a client of node-redis 4 puts its commands. Source: @redis/client 1, lib/client/commands-queue.ts. */
export interface CommandsQueue {
  addCommand(args: CommandArguments, options?: object): Promise<unknown>
}
