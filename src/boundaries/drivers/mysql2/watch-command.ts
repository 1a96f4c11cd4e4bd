import { runBelow, runInScope, type Scope } from '../../../run/scope.ts'
import type { MysqlCommand, MysqlConnection, MysqlPacket } from './mysql-client.ts'

/** What is to be known of a command while a connection carries it out. Each is told before the agent is. */
export interface CommandWatch {
  /** A packet is about to be handled. */
  packet?(packet: MysqlPacket, connection: MysqlConnection): void
  /** It has been. */
  handled?(isDone: boolean): void
  /** May give another error, which the agent gets. */
  failed?(error: unknown): unknown
  result?(value: unknown): void
  ended?(): void
}

/**
 * Watches a command. It belongs to its run whatever connection carries it out and whoever causes that: what it does itself (timers, writing) is below
 * the run, and what the agent hears of it is within.
 */
export function watchCommand(scope: Scope, command: MysqlCommand, watch: CommandWatch): void {
  const { execute, emit, onResult } = command
  own(command, 'execute', (packet: MysqlPacket | undefined, connection: MysqlConnection) => {
    if (packet) watch.packet?.(packet, connection)
    let isDone = true
    try {
      isDone = runBelow(scope, {}, () => Reflect.apply(execute, command, [packet, connection]))
    } finally {
      if (packet) watch.handled?.(isDone)
    }
    return isDone
  })
  own(command, 'emit', (name: string | symbol, ...args: unknown[]) => {
    if (name === 'error') args[0] = watch.failed?.(args[0]) ?? args[0]
    if (name === 'end') watch.ended?.()
    return runInScope(scope, () => Reflect.apply(emit, command, [name, ...args]))
  })
  if (typeof onResult !== 'function') return
  command.onResult = (...args) => {
    if (args[0]) args[0] = watch.failed?.(args[0]) ?? args[0]
    else watch.result?.(args[1])
    return runInScope(scope, () => Reflect.apply(onResult, command, args))
  }
}

/** Has a command fail as it does without an answer of the server. */
export function failCommand(command: MysqlCommand, error: unknown): void {
  if (typeof command.onResult === 'function') command.onResult(error)
  else command.emit('error', error)
}

function own(command: MysqlCommand, name: 'execute' | 'emit', value: unknown): void {
  Object.defineProperty(command, name, { value, configurable: true, writable: true })
}
