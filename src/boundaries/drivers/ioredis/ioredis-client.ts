import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'

/** A client of ioredis, for one server or a cluster. Source: ioredis 6, lib/Redis.ts, lib/cluster/index.ts. */
export interface IoredisClient extends EventEmitter {
  readonly options: IoredisOptions
  readonly status: string
  readonly isCluster?: boolean
  readonly stream?: Socket
  /** The settings of the connection, once there is one. */
  readonly condition?: object
  commandQueue: { push(item: QueuedCommand): unknown }
  connect(): Promise<unknown>
  disconnect(): void
  duplicate(options: object): IoredisClient
  /** Only of a cluster. */
  nodes(): readonly IoredisClient[]
  resetCommandQueue(): void
  sendCommand(command: IoredisCommand, ...rest: unknown[]): unknown
  pipeline(commands?: unknown): IoredisPipeline
}

export interface IoredisOptions {
  readonly host?: string
  readonly port?: number
  readonly path?: string
  readonly db?: number
  readonly enableAutoPipelining?: boolean
  /** In milliseconds. */
  readonly commandTimeout?: unknown
  /** Only of a cluster: the options of its nodes. */
  readonly redisOptions?: object
  /** Only of a cluster. */
  dnsLookup?: (name: string, callback: (error: null, address: string, family: number) => void) => void
}

/** Source: ioredis 6, lib/Command.ts. */
export interface IoredisCommand {
  readonly name: string
  readonly args: readonly unknown[]
  readonly promise: Promise<unknown>
  /** Takes the reply as the parser returns it: strings are buffers. */
  resolve: (reply: unknown) => unknown
  reject: (error: unknown) => unknown
  /** Since ioredis 6. */
  setReplyContext?(context: unknown): void
}

/** What a client keeps of a sent command. */
export interface QueuedCommand {
  readonly command: Pick<IoredisCommand, 'name' | 'args' | 'resolve' | 'reject'> & { readonly pipelineIndex?: number }
}

/** Source: ioredis 6, lib/Pipeline.ts. */
export interface IoredisPipeline {
  sendCommand(command: IoredisCommand): unknown
}
