import { runBelow, runInScope, type Scope } from '../../../run/scope.ts'
import type { MysqlCommand, MysqlConnection, MysqlPacket } from './mysql-client.ts'
import { defineOwn } from '../../patches.ts'

/** Notifications about a command while a connection carries it out. Each comes before the agent's. */
export interface CommandWatch {
  /** A packet is about to be handled. */
  packet?(packet: MysqlPacket, connection: MysqlConnection): void
  /** The packet has been handled. */
  handled?(isDone: boolean): void
  /** May return another error, which the agent then gets. */
  failed?(error: unknown): unknown
  result?(value: unknown): void
  ended?(): void
}

/**
 * Watches a command. It belongs to its run whatever connection carries it out and whatever triggers that: its own work (timers, writing) is below
 * the run, and the agent is notified within the run.
 */
export function watchCommand(scope: Scope, command: MysqlCommand, watch: CommandWatch): void {
  const { execute, emit, onResult } = command
  defineOwn(command, 'execute', (packet: MysqlPacket | undefined, connection: MysqlConnection) => {
    if (packet) watch.packet?.(packet, connection)
    let isDone = true
    try {
      isDone = runBelow(scope, {}, () => Reflect.apply(execute, command, [packet, connection]))
    } finally {
      if (packet) watch.handled?.(isDone)
    }
    return isDone
  })
  defineOwn(command, 'emit', (name: string | symbol, ...args: unknown[]) => {
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

/** Makes a command fail as it does without an answer from the server. */
export function failCommand(command: MysqlCommand, error: unknown): void {
  if (typeof command.onResult === 'function') command.onResult(error)
  else command.emit('error', error)
}
