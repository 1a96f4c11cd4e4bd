import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'

/** A connection of mysql2, with what is used of it. Source: mysql2 3, lib/base/connection.js. */
export interface MysqlConnection extends EventEmitter {
  readonly config: ConnectionConfig
  readonly stream: Duplex
  /** Set for a connection of a pool. */
  readonly _pool?: object | null
  readonly packetParser: PacketParser
  readonly _commands: CommandQueue
  /** What the server said of itself when the connection opened; null before. */
  readonly _handshakePacket: { readonly capabilityFlags: number } | null
  /** Whether columns come with MariaDB's extended metadata. Versions before 3.16 do not know them. */
  readonly _mariadbExtendedMetadata?: boolean
  readonly sequenceId: number
  /** The one that it carries out. */
  _command: MysqlCommand | null
  readonly _closing?: boolean
  _protocolError: unknown
  connectTimeout?: unknown
  addCommand(command: MysqlCommand): MysqlCommand
  handlePacket(packet?: MysqlPacket): void
  close(): void
  _handleTimeoutError(): void
  /** Of a connection of a pool. */
  _removeFromPool?(): void
}

/** A pool of mysql2, with what is used of it. Source: mysql2 3, lib/base/pool.js. */
export interface MysqlPool {
  readonly config: { readonly connectionConfig: ConnectionConfig }
  format(sql: string, values: unknown): string
}

/** Source: mysql2 3, lib/connection_config.js. */
export interface ConnectionConfig {
  readonly host?: string
  readonly port?: number
  readonly socketPath?: string
  readonly database?: string
  readonly isServer?: boolean
  readonly connectTimeout?: number
  readonly enableKeepAlive?: boolean
  readonly keepAliveInitialDelay?: number
  stream?: unknown
}

/** Source: mysql2 3, lib/packet_parser.js. */
export interface PacketParser {
  readonly constructor: new (onPacket: (packet: MysqlPacket) => void) => PacketParser
  execute(bytes: Buffer): void
}

/** Source: mysql2 3, lib/ring_queue.js. */
export interface CommandQueue {
  readonly constructor: new () => CommandQueue
  readonly length: number
}

/** A packet of the server, within the bytes that it came in. Source: mysql2 3, lib/packets/packet.js. */
export interface MysqlPacket {
  readonly buffer: Buffer
  /** Where its header of four bytes starts. */
  readonly start: number
  readonly end: number
}

/** A command that a connection carries out. Source: mysql2 3, lib/commands. */
export interface MysqlCommand extends EventEmitter {
  readonly sql?: string
  readonly values?: unknown
  /** Of a `Prepare`, its SQL. */
  readonly query?: string
  /** Of an `Execute`. */
  readonly statement?: PreparedStatement
  readonly user?: string
  readonly database?: string
  timeout?: number
  onResult?: ((...args: unknown[]) => unknown) | undefined
  /** Handles a packet, or starts without one. Returns whether it is done. */
  execute(packet: MysqlPacket | undefined, connection: MysqlConnection): boolean
}

/** Source: mysql2 3, lib/commands/prepare.js. */
export interface PreparedStatement {
  readonly query: string
  readonly columns?: readonly GivenColumn[]
  readonly parameters?: readonly GivenColumn[]
}

/** A column as mysql2 gives it. Source: mysql2 3, lib/packets/column_definition.js. */
export interface GivenColumn {
  readonly schema: string
  readonly table: string
  readonly orgTable: string
  readonly name: string
  readonly orgName: string
  readonly characterSet: number
  readonly columnLength: number
  readonly columnType: number
  readonly flags: number
  readonly decimals: number
  readonly extendedTypeName?: string
  readonly extendedFormat?: string
}

/** What a command is: asks for data, looks after the connection, or is none that is known. */
export type CommandKind =
  | 'query'
  | 'execute'
  | 'prepare'
  | 'change user'
  | 'reset'
  | 'ping'
  | 'quit'
  | 'close statement'
  | 'handshake'
  | 'unknown'

/** Tells a command by methods of its class, which a minifier does not rename. */
export function kindOf(command: MysqlCommand): CommandKind {
  for (const [method, kind] of kinds) if (typeof Reflect.get(command, method) === 'function') return kind
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(command))
  if (own.some((name) => name !== 'constructor' && name !== 'start')) return 'unknown'
  return 'id' in command ? 'close statement' : 'quit'
}

/** In this order: `ChangeUser` has a method of `ClientHandshake`. */
const kinds: readonly (readonly [method: string, kind: CommandKind])[] = [
  ['buildParserFromFields', 'execute'],
  ['infileOk', 'query'],
  ['prepareHeader', 'prepare'],
  ['pingResponse', 'ping'],
  ['resetConnectionResponse', 'reset'],
  ['handshakeInit', 'handshake'],
  ['readClientReply', 'handshake'],
  ['handshakeResult', 'change user'],
]
