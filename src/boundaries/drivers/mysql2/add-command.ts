import { type AnsweredScope, currentScope, isRecorded, runBelow, type Scope, scopeBelow } from '../../../run/scope.ts'
import { markTransport } from '../../contact/known-sockets.ts'
import { Arrival } from '../../arrival.ts'
import { answerDriverCall, recordDriverCall } from '../driver-call.ts'
import { outsideOfRuns } from '../driver-work.ts'
import { connectionOf } from '../connection-of-run.ts'
import { addressOf } from './opened-connections.ts'
import type { AnsweredConnection, AnsweredConnections } from './answered-connections.ts'
import { askingHere, preparesOwn } from './asking.ts'
import { followCommand } from './follow-command.ts'
import { loseOpen } from './lost-connections.ts'
import { batchCall, mysqlCall, sendsFile } from './mysql-call.ts'
import { type CommandKind, kindOf, type MysqlCommand, type MysqlConnection } from './mysql-client.ts'
import { failCommand, watchCommand } from './watch-command.ts'

type AddCommand = MysqlConnection['addCommand']

/** A command to add. */
interface Added {
  readonly connection: MysqlConnection
  readonly command: MysqlCommand
  readonly kind: CommandKind
  /** Adds it to the connection. */
  readonly go: () => void
}

/** Every operation of a connection is a command, which this one method adds. */
export function addCommandDoor(original: AddCommand, answered: AnsweredConnections): AddCommand {
  return function addCommand(this: MysqlConnection, command) {
    const scope = currentScope()
    const go = (): void => void Reflect.apply(original, this, [command])
    const added: Added = { connection: this, command, kind: kindOf(command), go }
    if (added.kind === 'quit') addQuit(scope ?? scopeBelow(), added, answered)
    else if (scope === undefined) addOutside(added)
    else if (added.kind === 'handshake') runBelow(scope, {}, () => connectBelow(scope, added))
    else if (isRecorded(scope)) addRecorded(scope, added)
    else addAnswered(scope, added, answered.in(scope.run, this))
    return command
  }
}

/** Commands that ask the server for nothing, or that it always answers in the same way. */
const upkeep: ReadonlySet<CommandKind> = new Set(['handshake', 'ping', 'close statement'])

function addOutside({ connection, command, kind, go }: Added): void {
  if (upkeep.has(kind)) return go()
  const refuse = (error: Error): void => {
    // The statement that `execute` prepares is refused when it is executed.
    if (!preparesOwn(kind)) refuseCommand(command, error)
  }
  outsideOfRuns('mysql2', addressOf(connection.config), go, refuse)
}

/** A connection ends after its earlier commands, which in a replay are not in its own queue. */
function addQuit(scope: Scope | undefined, { connection, command, go }: Added, answered: AnsweredConnections): void {
  if (scope === undefined) go()
  else if (scope.run.mode === 'record') runBelow(scope, {}, go)
  else answered.in(scope.run, connection).end(command, () => runBelow(scope, {}, go))
}

function addRecorded(scope: Scope, { connection, command, kind, go }: Added): void {
  markTransport(connection.stream)
  const { arrival = new Arrival(), asked, step } = askingHere() ?? {}
  const call = preparesOwn(kind) ? undefined : (step?.call ?? mysqlCall(scope, connection, command, kind, asked))
  if (call === undefined) {
    watchUpkeep(scope, command, kind, arrival)
    return runBelow(scope, {}, go)
  }
  followCommand(scope, connection, command, kind, call, arrival)
  if (step === undefined) recordDriverCall(scope, call, arrival, go)
  else runBelow(scope, {}, go)
}

/** Notes a command that is not a step if a replay cannot do it, or if it fails. */
function watchUpkeep(scope: Scope, command: MysqlCommand, kind: CommandKind, arrival: Arrival): void {
  const note = (what: string): void => scope.run.note('unrecorded-contact', `mysql2 ${what}`)
  if (kind === 'unknown') note('replication')
  watchCommand(scope, command, {
    failed(error) {
      if (kind === 'prepare') arrival.fail(error)
      else note(kind)
    },
  })
}

function addAnswered(scope: AnsweredScope, { connection, command, kind }: Added, answered: AnsweredConnection): void {
  const { run, owner } = scope
  if (kind === 'unknown' || sendsFile(command.sql ?? ''))
    return refuseCommand(command, run.refuseContact(owner, 'mysql2', addressOf(connection.config)), scope)
  if (kind === 'close statement') return answered.pass(scope, command)
  const { asked, step } = askingHere() ?? {}
  const call = preparesOwn(kind) ? undefined : (step?.call ?? mysqlCall(scope, answered.original, command, kind, asked))
  const made = kind === 'prepare' ? { parameters: [], fields: [] } : {}
  answered.add(scope, command, kind, (batch) => {
    if (call === undefined) return Promise.resolve(made)
    if (batch === 1 && step?.answer !== undefined) return step.answer
    return answerDriverCall(scope, batchCall(call, batch))
  })
}

/** Makes a connection that a run opens report that it is open. */
function connectBelow(scope: Scope, { connection, command, go }: Added): void {
  let hasFailed = false
  watchCommand(scope, command, {
    failed() {
      hasFailed = true
    },
    ended() {
      const opening = connectionOf(connection.config)
      if (!hasFailed) opening?.opens()
      opening?.ends()
    },
  })
  go()
}

/** Handles a failed connection. For a pool, the call that needs the connection is the step. */
export function failConnection(lost: MysqlConnection, error: unknown): void {
  const { config, _handshakePacket: handshake, _commands: waiting } = lost
  const connection = connectionOf(config)
  if (handshake !== null) return loseOpen(lost)
  // Waiting commands fail instead, each in its own step.
  if (waiting.length === 0) connection?.fails(error)
  connection?.ends()
}

function refuseCommand(command: MysqlCommand, error: Error, scope?: Scope): void {
  if (scope !== undefined) watchCommand(scope, command, {})
  process.nextTick(() => {
    failCommand(command, error)
    command.emit('end')
  })
}
