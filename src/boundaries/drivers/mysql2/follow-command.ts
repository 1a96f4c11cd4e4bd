import { runInScope, type Scope } from '../../../run/scope.ts'
import { Arrival } from '../../arrival.ts'
import { type DriverCall, recordDriverCall } from '../driver-call.ts'
import { stepFailed } from './lost-connections.ts'
import { batchCall } from './mysql-call.ts'
import type { CommandKind, MysqlCommand, MysqlConnection, MysqlPacket, PreparedStatement } from './mysql-client.ts'
import { goesOn, type MysqlAnswer, type PreparedAnswer, toField } from './mysql-result.ts'
import { ResultReader } from './result-reader.ts'
import { type CommandWatch, watchCommand } from './watch-command.ts'

/** Has the answer to a command settle the arrival of its step. A batch after the first is a step of its own. */
export function followCommand(
  scope: Scope,
  connection: MysqlConnection,
  command: MysqlCommand,
  kind: CommandKind,
  call: DriverCall,
  arrival: Arrival<unknown>,
): void {
  let batch = 1
  let current = arrival
  watchCommand(
    scope,
    command,
    answersOf(command, kind, {
      settle: (answer) => current.settle(answer),
      fail(error) {
        stepFailed(connection, scope.run)
        current.fail(error)
      },
      asksAgain() {
        if (scope.run.closed) return
        batch += 1
        current = new Arrival()
        runInScope(scope, () => recordDriverCall(scope, batchCall(call, batch), current, () => undefined))
      },
      note: (what) => scope.run.note('unrecorded-contact', `mysql2 ${what}`),
    }),
  )
}

/** Gets what a command is answered, in the form that a trace keeps. */
interface AnswerTaker {
  settle(answer: MysqlAnswer | PreparedAnswer): void
  fail(error: unknown): void
  /** The agent has got a batch of rows, and another one follows. */
  asksAgain(): void
  /** Something that cannot be replayed. */
  note(what: string): void
}

/** Takes the answers of a command of any connection. */
function answersOf(command: MysqlCommand, kind: CommandKind, taker: AnswerTaker): CommandWatch {
  const failed = (error: unknown): void => taker.fail(error)
  if (kind === 'prepare') return { failed, result: (statement) => taker.settle(toPrepared(statement as PreparedStatement)) }
  if (kind !== 'query' && kind !== 'execute') return { failed, ended: () => taker.settle({}) }
  const isWhole = typeof command.onResult === 'function'
  return { failed, ...new ReadAnswers(kind === 'execute', isWhole, taker).watch }
}

/**
 * Reads the answer to a query. Where the agent hears of each row as it comes, as from a stream, the rows that came together are a batch, which is
 * written down before the agent hears of the first of them.
 */
class ReadAnswers {
  readonly watch: CommandWatch
  readonly #isBinary: boolean
  readonly #isWhole: boolean
  readonly #taker: AnswerTaker
  #reader: ResultReader | undefined
  /** How many packets have been read ahead. */
  #ahead = 0
  #asksAgain = false
  #isLost = false

  constructor(isBinary: boolean, isWhole: boolean, taker: AnswerTaker) {
    this.#isBinary = isBinary
    this.#isWhole = isWhole
    this.#taker = taker
    this.watch = { packet: (packet, connection) => this.#hear(packet, connection), handled: (isDone) => this.#handled(isDone) }
  }

  #hear(packet: MysqlPacket, connection: MysqlConnection): void {
    if (this.#isLost) return
    if (this.#ahead > 0) {
      this.#ahead -= 1
      return
    }
    try {
      this.#read(packet, connection)
    } catch {
      // The agent goes on with an answer that the trace does not have.
      this.#isLost = true
      this.#taker.note('an answer that cannot be read')
      this.#taker.settle({})
    }
  }

  #read(packet: MysqlPacket, connection: MysqlConnection): void {
    const reader = (this.#reader ??= new ResultReader({
      isBinary: this.#isBinary,
      isExtended: connection._mariadbExtendedMetadata === true,
      capabilities: connection._handshakePacket?.capabilityFlags ?? 0,
    }))
    const packets = this.#isWhole ? [packet.buffer.subarray(packet.start + 4, packet.end)] : packetsFrom(packet)
    this.#ahead = -1
    for (const each of packets) {
      // An error answers what is asked after the rows before it.
      if (each[0] === 0xff && this.#ahead >= 0) break
      reader.read(each)
      this.#ahead += 1
      if (reader.wantsFile) this.#taker.note('LOAD DATA LOCAL INFILE')
      reader.wantsFile = false
      if (reader.isOver) break
    }
    if (reader.hasFailed || (this.#isWhole ? !reader.isOver : !reader.isReady)) return
    const answer = reader.take()
    this.#taker.settle(answer)
    this.#asksAgain = goesOn(answer)
  }

  #handled(isDone: boolean): void {
    if (this.#ahead > 0 || !this.#asksAgain || isDone) return
    this.#asksAgain = false
    this.#taker.asksAgain()
  }
}

/** A packet, and those that came with it. */
function* packetsFrom({ buffer, start, end }: MysqlPacket): Generator<Buffer> {
  yield buffer.subarray(start + 4, end)
  for (let next = end; next + 4 <= buffer.length;) {
    const length = buffer.readUIntLE(next, 3)
    // One that is split over several is read when it is whole.
    if (next + 4 + length > buffer.length || length === 0xff_ffff) return
    yield buffer.subarray(next + 4, next + 4 + length)
    next += 4 + length
  }
}

function toPrepared({ parameters = [], columns = [] }: PreparedStatement): PreparedAnswer {
  return { parameters: parameters.map(toField), fields: columns.map(toField) }
}
