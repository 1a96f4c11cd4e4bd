import type { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'

/** The parts used of a mysql2 connection. Source: mysql2 3, lib/base/connection.js. */
export interface MysqlConnection extends EventEmitter {
  readonly config: ConnectionConfig
  readonly stream: Duplex
  /** Set for a connection of a pool. */
  readonly _pool?: object | null
  readonly packetParser: PacketParser
  readonly _commands: CommandQueue
  /** The server's greeting when the connection opened; null before. */
  readonly _handshakePacket: { readonly capabilityFlags: number } | null
  /** Whether columns come with MariaDB's extended metadata. Versions before 3.16 do not support it. */
  readonly _mariadbExtendedMetadata?: boolean
  readonly sequenceId: number
  /** The command that it is carrying out. */
  _command: MysqlCommand | null
  readonly _closing?: boolean
  _protocolError: unknown
  connectTimeout?: unknown
  addCommand(command: MysqlCommand): MysqlCommand
  handlePacket(packet?: MysqlPacket): void
  close(): void
  _handleTimeoutError(): void
  /** Set on a pool's connection. */
  _removeFromPool?(): void
}

/** The parts used of a mysql2 pool. Source: mysql2 3, lib/base/pool.js. */
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

/** A packet of the server, within the chunk that contains it. Source: mysql2 3, lib/packets/packet.js. */
export interface MysqlPacket {
  readonly buffer: Buffer
  /** The start of its four-byte header. */
  readonly start: number
  readonly end: number
}

/** A command that a connection carries out. Source: mysql2 3, lib/commands. */
export interface MysqlCommand extends EventEmitter {
  readonly sql?: string
  readonly values?: unknown
  /** The SQL of a `Prepare`. */
  readonly query?: string
  /** Of an `Execute`. */
  readonly statement?: PreparedStatement
  readonly user?: string
  readonly database?: string
  timeout?: number
  onResult?: ((...args: unknown[]) => unknown) | undefined
  /** Handles a packet, or starts without one. Returns whether the command is done. */
  execute(packet: MysqlPacket | undefined, connection: MysqlConnection): boolean
}

/** Source: mysql2 3, lib/commands/prepare.js. */
export interface PreparedStatement {
  readonly query: string
  readonly columns?: readonly GivenColumn[]
  readonly parameters?: readonly GivenColumn[]
}

/** A column as mysql2 returns it. Source: mysql2 3, lib/packets/column_definition.js. */
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

/** The kind of a command: it asks for data, maintains the connection, or is unknown. */
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

/** Recognises a command by methods of its class, which a minifier does not rename. */
export function kindOf(command: MysqlCommand): CommandKind {
  for (const [method, kind] of kinds) if (typeof Reflect.get(command, method) === 'function') return kind
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(command))
  if (own.some((name) => name !== 'constructor' && name !== 'start')) return 'unknown'
  return 'id' in command ? 'close statement' : 'quit'
}

/** In this order, because `ChangeUser` has a method of `ClientHandshake`. */
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
