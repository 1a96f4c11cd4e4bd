import { recordedScope, type Scope } from '../../../run/scope.ts'
import { Arrival } from '../../arrival.ts'
import { recordRefusable } from '../driver-call.ts'
import type { MethodCall } from '../driver-work.ts'
import { askingHere, preparesOwn } from './asking.ts'
import { mysqlCall } from './mysql-call.ts'
import { kindOf, type MysqlCommand, type MysqlConnection } from './mysql-client.ts'
import { watchCommand } from './watch-command.ts'

/** Connections that were lost while they were open, with the runs that know it because one of their steps failed. */
const lost = new WeakMap<MysqlConnection, WeakSet<object>>()

/** Marks a connection as lost, unless it has never been open or is being closed. */
export function loseOpen(connection: MysqlConnection): void {
  if (connection._handshakePacket !== null && connection._closing !== true && !lost.has(connection)) lost.set(connection, new WeakSet())
}

/** Notes that a step of a run has failed: if its connection is lost, the run now knows. */
export function stepFailed(connection: MysqlConnection, run: object): void {
  lost.get(connection)?.add(run)
}

/**
 * The driver immediately refuses commands on a lost connection. In a replay it does so as well, once a step has reported the loss. For a run
 * that does not know yet, the refusal is the answer to a step.
 */
export function refuseCommand({ self, args: [command], go }: MethodCall): unknown {
  const connection = self as MysqlConnection
  const scope = recordedScope()
  const told = lost.get(connection)
  if (scope === undefined || told === undefined || told.has(scope.run)) return go()
  return refuseInStep(scope, connection, command as MysqlCommand, go)
}

function refuseInStep(scope: Scope, connection: MysqlConnection, command: MysqlCommand, refuse: () => unknown): unknown {
  const { arrival = new Arrival(), asked, step } = askingHere() ?? {}
  // A pool's call is already a step. `execute` is refused together with the statement that it prepares.
  if (step !== undefined || arrival.failure !== undefined) return refuse()
  const kind = kindOf(command)
  const call = mysqlCall(scope, connection, command, preparesOwn(kind) ? 'execute' : kind, asked)
  if (call === undefined) return refuseUpkeep(scope, kind, refuse)
  watchCommand(scope, command, { failed: (error) => arrival.fail(error) })
  return recordRefusable(scope, call, arrival, refuse)
}

/** A replay cannot refuse a command that is not a step. */
function refuseUpkeep({ run }: Scope, kind: string, refuse: () => unknown): unknown {
  if (kind === 'ping') run.note('unrecorded-contact', 'mysql2 ping')
  return refuse()
}
