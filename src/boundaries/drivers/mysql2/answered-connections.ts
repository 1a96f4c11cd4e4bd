import { Duplex } from 'node:stream'
import { knownOrMade } from '../../../trace/remember.ts'
import { runBelow, type Scope } from '../../../run/scope.ts'
import { type Ask, deliveryTo } from './delivery.ts'
import type { CommandKind, MysqlCommand, MysqlConnection } from './mysql-client.ts'
import { serverHello } from './mysql-server.ts'
import { failCommand, watchCommand } from './watch-command.ts'

type AddCommand = MysqlConnection['addCommand']

/** The connections that are answered in memory, separate for each run. */
export class AnsweredConnections {
  readonly #add: AddCommand
  readonly #all = new WeakMap<object, WeakMap<object, AnsweredConnection>>()
  readonly #originals = new WeakMap<object, MysqlConnection>()

  /** @param add The driver's method that adds a command. */
  constructor(add: AddCommand) {
    this.#add = add
  }

  /** The in-memory counterpart of a connection in a run. A statement keeps the counterpart that prepared it, in place of the connection. */
  in(run: object, connection: MysqlConnection): AnsweredConnection {
    const original = this.#originals.get(connection) ?? connection
    const ofRuns = knownOrMade(this.#all, original, () => new WeakMap())
    return knownOrMade(ofRuns, run, () => {
      const made = new AnsweredConnection(original, this.#add)
      this.#originals.set(made.connection, original)
      return made
    })
  }
}

/**
 * Runs the commands that a replayed run gives to a connection. It stands in for that connection, with a queue of its own. The driver itself
 * reads the recorded answers, which it gets as packets.
 */
export class AnsweredConnection {
  readonly original: MysqlConnection
  readonly connection: MysqlConnection
  readonly #add: AddCommand
  #work: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #isLost = false
  /** Commands that end it. */
  readonly #ends: MysqlCommand[] = []

  /** @param add The driver's method that adds a command. */
  constructor(original: MysqlConnection, add: AddCommand) {
    this.original = original
    this.#add = add
    this.connection = doubleOf(original)
  }

  /** Ends the connection once all added commands are done: immediately if they are. */
  end(command: MysqlCommand, go: () => void): void {
    if (this.#waiting === 0) return go()
    this.#ends.push(command)
    void this.#work.then(() => (this.#isLost ? undefined : go()))
  }

  /** Carries out a command when it is its turn and its answer is there: the driver's own errors come no sooner than in the recording. */
  add(scope: Scope, command: MysqlCommand, kind: CommandKind, ask: Ask): void {
    const answer = ask(1)
    answer.catch(() => undefined)
    const deliver = deliveryTo(scope, this.connection, command, kind)
    const start = (): void => runBelow(scope, {}, () => void Reflect.apply(this.#add, this.connection, [command]))
    const onLost = (error: unknown): void => runBelow(scope, {}, () => this.#lose(command, error))
    this.#waiting += 1
    this.#work = this.#work.then(() => deliver(answer, ask, start, onLost)).finally(() => (this.#waiting -= 1))
  }

  /** Adds a command that needs no answer. */
  pass(scope: Scope, command: MysqlCommand): void {
    watchCommand(scope, command, {})
    runBelow(scope, {}, () => Reflect.apply(this.#add, this.connection, [command]))
  }

  /**
   * Loses the connection. The driver's whole reaction happens before an agent that awaits the answer continues. The command emits no `end`.
   *
   * Source: mysql2 3, lib/base/connection.js, `_notifyError`, and the events of its stream.
   */
  #lose(command: MysqlCommand, error: unknown): void {
    this.connection._command = null
    if (this.#isLost) return failCommand(command, error)
    const { original } = this
    // The pool notices a closed or refused connection first; if the connection is in use, its user does.
    if (!isOfUse(error)) original._removeFromPool?.()
    failCommand(command, error)
    // In the recorded run it was already lost, so the driver refused each call in its own step.
    if (isRefusal(error)) return
    this.#isLost = true
    for (const end of this.#ends) end.onResult?.(error)
    original._protocolError ??= error
    if (original._pool || this.#ends.some(({ onResult }) => onResult === undefined)) original.emit('error', error)
    original.close()
  }
}

/** Whether this is the error by which the driver refuses a command on a closed connection. Source: mysql2 3, lib/base/connection.js. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.message.endsWith('when connection is in closed state')
}

/** Whether this is a read or write error of an open connection, not just a close. */
function isOfUse(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && (error.syscall === 'read' || error.syscall === 'write')
}

function doubleOf(original: MysqlConnection): MysqlConnection {
  const { constructor: Queue } = original._commands
  const { constructor: Parser } = original.packetParser
  const stream = new Duplex({ read: () => undefined, write: (_chunk, _encoding, callback) => callback() })
  const statements = new Map<string, unknown>()
  const own = {
    _command: null,
    _commands: new Queue(),
    _paused: false,
    _paused_packets: new Queue(),
    // The interface of `lru-cache`, which older versions use.
    _statements: Object.assign(statements, { del: (key: string) => statements.delete(key), reset: () => statements.clear() }),
    _fatalError: null,
    _protocolError: null,
    _handshakePacket: serverHello,
    ...(original._mariadbExtendedMetadata === undefined ? {} : { _mariadbExtendedMetadata: true }),
    serverCapabilityFlags: serverHello.capabilityFlags,
    serverEncoding: 'utf8',
    sequenceId: 0,
    compressedSequenceId: 0,
    stream,
    write: () => undefined,
    packetParser: new Parser((packet) => double.handlePacket(packet)),
  }
  const double = Object.create(original, Object.getOwnPropertyDescriptors(own)) as MysqlConnection
  return double
}
