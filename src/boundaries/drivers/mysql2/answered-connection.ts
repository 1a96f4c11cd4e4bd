import { Duplex } from 'node:stream'
import { knownOrMade } from '../../../node/remember.ts'
import { runBelow, runInScope, type Scope } from '../../../run/scope.ts'
import type { CommandKind, MysqlCommand, MysqlConnection } from './mysql-client.ts'
import { goesOn, type MysqlAnswer, type PreparedAnswer } from './mysql-result.ts'
import { serverHello } from './mysql-server.ts'
import type { ResultForm } from './result-reader.ts'
import { frame, isMysqlError, ResultWriter, writeError } from './result-writer.ts'
import { watchCommand } from './watch-command.ts'

/** Asks for an answer. @param batch The first one is 1. */
export type Ask = (batch: number) => Promise<unknown>

type AddCommand = MysqlConnection['addCommand']

/** The connections that are answered in memory, of each run its own. */
export class AnsweredConnections {
  readonly #add: AddCommand
  readonly #all = new WeakMap<object, WeakMap<object, AnsweredConnection>>()
  readonly #originals = new WeakMap<object, MysqlConnection>()

  /** @param add The driver's own way of adding a command. */
  constructor(add: AddCommand) {
    this.#add = add
  }

  /** What answers a connection in a run. Statements keep what has prepared them, which stands for the connection. */
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
 * Runs the commands that a replayed run gives to a connection. It passes for that connection, but has a queue of its own. The driver itself
 * reads the recorded answers, which it is given as packets.
 */
export class AnsweredConnection {
  readonly original: MysqlConnection
  readonly connection: MysqlConnection
  readonly #add: AddCommand
  #work: Promise<unknown> = Promise.resolve()
  #waiting = 0
  #isLost = false
  /** Those that are to end it. */
  readonly #ends: MysqlCommand[] = []

  /** @param add The driver's own way of adding a command. */
  constructor(original: MysqlConnection, add: AddCommand) {
    this.original = original
    this.#add = add
    this.connection = doubleOf(original)
  }

  /** Ends the connection once all commands that have been added are done: at once if they are. */
  end(command: MysqlCommand, go: () => void): void {
    if (this.#waiting === 0) return go()
    this.#ends.push(command)
    void this.#work.then(() => (this.#isLost ? undefined : go()))
  }

  /** Has a command carried out when it is its turn and its answer is there: an error that is the driver's own comes no sooner than in the recording. */
  add(scope: Scope, command: MysqlCommand, kind: CommandKind, ask: Ask): void {
    const answer = ask(1)
    answer.catch(() => undefined)
    const delivery = new Delivery(scope, this.connection, command, kind)
    const start = (): void => runBelow(scope, {}, () => void Reflect.apply(this.#add, this.connection, [command]))
    const onLost = (error: unknown): void => runBelow(scope, {}, () => this.#lose(command, error))
    this.#waiting += 1
    this.#work = this.#work.then(() => delivery.deliver(answer, ask, start, onLost)).finally(() => (this.#waiting -= 1))
  }

  /** Adds a command that needs no answer. */
  pass(scope: Scope, command: MysqlCommand): void {
    watchCommand(scope, command, {})
    runBelow(scope, {}, () => Reflect.apply(this.#add, this.connection, [command]))
  }

  /**
   * The connection is lost. All that the driver does then, it does before an agent that awaits the answer goes on.
   *
   * Source: mysql2 3, lib/base/connection.js, `_notifyError`, and the events of its stream.
   */
  #lose(command: MysqlCommand, error: unknown): void {
    this.connection._command = null
    if (this.#isLost) return tell(command, error)
    this.#isLost = true
    const { original } = this
    // A pool notices first that a connection is closed or refused; while it is being used, whoever uses it.
    if (!isOfUse(error)) original._removeFromPool?.()
    tell(command, error)
    for (const end of this.#ends) end.onResult?.(error)
    original._protocolError ??= error
    if (original._pool || this.#ends.some(({ onResult }) => onResult === undefined)) original.emit('error', error)
    original.close()
  }
}

/** Hands one command its answer. */
class Delivery {
  readonly #scope: Scope
  readonly #connection: MysqlConnection
  readonly #isPrepare: boolean
  readonly #writer: ResultWriter
  #left = 0
  #isStarted = false
  #isDone = false
  #onHandled: () => void = () => undefined
  /** What the agent gets in place of the error that the packets say. */
  #error: unknown

  constructor(scope: Scope, connection: MysqlConnection, command: MysqlCommand, kind: CommandKind) {
    this.#scope = scope
    this.#connection = connection
    this.#isPrepare = kind === 'prepare'
    this.#writer = new ResultWriter(formOf(connection, kind))
    // The recording says whether the query took too long.
    Object.defineProperty(command, '_setTimeout', { value: () => undefined, configurable: true })
    if (command.timeout !== undefined) delete command.timeout
    watchCommand(scope, command, {
      handled: (isDone) => {
        this.#left -= 1
        if (isDone || this.#left === 0) this.#onHandled()
      },
      failed: (error) => this.#error ?? error,
      ended: () => (this.#isDone = true),
    })
  }

  async deliver(first: Promise<unknown>, ask: Ask, start: () => void, onLost: (error: unknown) => void): Promise<void> {
    let answer = first
    try {
      for (let batch = 2; ; batch += 1) {
        const answered = await answer
        this.#starts(start)
        await this.#feed(this.#packetsOf(answered))
        if (this.#isPrepare || !goesOn(answered as MysqlAnswer)) return
        answer = runInScope(this.#scope, () => ask(batch))
      }
    } catch (error) {
      this.#starts(start)
      if (isFatal(error)) onLost(error)
      else await this.#fails(error)
    }
  }

  #starts(start: () => void): void {
    if (!this.#isStarted) start()
    this.#isStarted = true
  }

  #fails(error: unknown): Promise<void> {
    // The driver names the statement, unless it was the connection that failed.
    const isOfServer = isMysqlError(error) && 'sql' in error && error.sql !== undefined
    if (!isOfServer) this.#error = error
    return this.#feed([writeError(isOfServer ? error : { errno: 0, sqlState: 'HY000', sqlMessage: 'no answer' })])
  }

  #packetsOf(answer: unknown): Buffer[] {
    return this.#isPrepare ? this.#writer.writePrepared(answer as PreparedAnswer) : this.#writer.write(answer as MysqlAnswer)
  }

  /** Resolves once the command has handled the packets, which a paused connection does later. */
  #feed(packets: readonly Buffer[]): Promise<void> {
    return new Promise((resolve) => {
      // A statement that is prepared already needs no packets, and one that cannot be sent gets none.
      if (packets.length === 0 || this.#isDone) return resolve()
      this.#left = packets.length
      this.#onHandled = resolve
      const bytes = frame(packets, this.#connection.sequenceId)
      runBelow(this.#scope, {}, () => this.#connection.packetParser.execute(bytes))
    })
  }
}

/** Whether an error is the last that a connection, or the attempt to open it, comes to. */
function isFatal(error: unknown): boolean {
  return error instanceof Error && 'fatal' in error && error.fatal === true
}

/** Whether it is an error of a connection that was open, and is not just closed. */
function isOfUse(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && (error.syscall === 'read' || error.syscall === 'write')
}

/** A command fails without an answer of the server. The driver does not say that it has ended. */
function tell(command: MysqlCommand, error: unknown): void {
  if (typeof command.onResult === 'function') command.onResult(error)
  else command.emit('error', error)
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
    // As `lru-cache` has it, which older versions use.
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

function formOf(connection: MysqlConnection, kind: CommandKind): ResultForm {
  const { capabilityFlags: capabilities } = serverHello
  return { isBinary: kind === 'execute', isExtended: connection._mariadbExtendedMetadata === true, capabilities }
}
