import { builtins } from '../../../node/builtins.ts'
import { currentScope, recordedScope, runBelow } from '../../../run/scope.ts'
import { isFree } from '../../contact/make-contact.ts'
import { combine, type Restore } from '../../patches.ts'
import { startConnecting } from '../connection-of-run.ts'
import { connectHere } from '../driver-work.ts'
import type { ConnectionConfig, MysqlConnection } from './mysql-client.ts'
import { makeMysqlServer } from './mysql-server.ts'

/**
 * Opens the connections of a class below the run that creates them, or in memory. The constructor connects, and a module may not export its
 * class. The constructor is therefore detected by the properties that it sets: `config`, with which it connects, and `serverEncoding`,
 * before it sets a timer.
 *
 * Source: mysql2 3, lib/base/connection.js, constructor.
 */
export function openingConnections(prototype: object): Restore {
  return combine(
    onAssigned(prototype, 'config', (config) => connectBy(config as ConnectionConfig)),
    onAssigned(prototype, 'serverEncoding', (_value, connection) => setTimerBelow(connection as MysqlConnection)),
  )
}

/** Makes the constructor take a stream that is opened here. */
function connectBy(config: ConnectionConfig): void {
  const { stream } = config
  if (config.isServer === true || isFree() || (stream !== undefined && typeof stream !== 'function')) return
  const hadStream = Object.hasOwn(config, 'stream')
  const isReal = recordedScope() !== undefined
  // Each connection has a configuration of its own.
  const connection = startConnecting(config, 'mysql2 connect')
  config.stream = (...args: unknown[]) => {
    if (hadStream) config.stream = stream
    else delete config.stream
    return connectHere(
      addressOf(config),
      () => makeMysqlServer,
      () => (isReal && typeof stream === 'function' ? (Reflect.apply(stream, config, args) as unknown) : connectSocket(config)),
      connection,
    )
  }
}

/** The address that a connection goes to. */
export function addressOf({ socketPath, host, port }: ConnectionConfig): string {
  return socketPath || `${host ?? 'localhost'}:${port ?? 3306}`
}

/** Connects like the constructor. */
function connectSocket({ socketPath, host, port, enableKeepAlive, keepAliveInitialDelay }: ConnectionConfig): unknown {
  if (socketPath) return builtins.net.connect(socketPath)
  const socket = builtins.net.connect({ port: port ?? 3306, ...(host === undefined ? {} : { host }) })
  if (enableKeepAlive) socket.on('connect', () => socket.setKeepAlive(true, keepAliveInitialDelay))
  return socket.setNoDelay(true)
}

/** Sets the connection's timer. The constructor then reads from the configuration whether to set one, and is told not to. */
function setTimerBelow(connection: MysqlConnection): void {
  const { config } = connection
  const scope = currentScope()
  if (scope === undefined || !config.connectTimeout) return
  connection.connectTimeout = runBelow(scope, {}, () => setTimeout(() => connection._handleTimeoutError(), config.connectTimeout))
  const restore = (): void =>
    void Object.defineProperty(connection, 'config', { value: config, writable: true, configurable: true, enumerable: true })
  Object.defineProperty(connection, 'config', {
    get() {
      restore()
      return Object.create(config, { connectTimeout: { value: 0 } }) as unknown
    },
    configurable: true,
    enumerable: true,
  })
}

/** Calls `assigned` when a property is set for the first time; it then becomes an ordinary property. */
function onAssigned(prototype: object, name: string, assigned: (value: unknown, instance: object) => void): Restore {
  if (Object.hasOwn(prototype, name)) return () => undefined
  Object.defineProperty(prototype, name, {
    get: () => undefined,
    set(this: object, value: unknown) {
      Object.defineProperty(this, name, { value, writable: true, configurable: true, enumerable: true })
      assigned(value, this)
    },
    configurable: true,
  })
  return () => void Reflect.deleteProperty(prototype, name)
}
