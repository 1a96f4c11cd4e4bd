import { runInScope, type Scope } from '../../../run/scope.ts'
import { Arrival } from '../../arrival.ts'
import { type DriverCall, recordDriverCall } from '../driver-call.ts'
import { stepFailed } from './lost-connections.ts'
import { batchCall } from './mysql-call.ts'
import type { CommandKind, MysqlCommand, MysqlConnection, MysqlPacket, PreparedStatement } from './mysql-client.ts'
import { goesOn, type MysqlAnswer, type PreparedAnswer, toField } from './mysql-result.ts'
import { ResultReader } from './result-reader.ts'
import { type CommandWatch, watchCommand } from './watch-command.ts'

/** Settles a step's arrival with the answer to its command. Each batch after the first is a step of its own. */
export function followCommand(
  scope: Scope,
  connection: MysqlConnection,
  command: MysqlCommand,
  kind: CommandKind,
  call: DriverCall,
  arrival: Arrival,
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

/** Receives the answer to a command, in the form that a trace keeps. */
interface AnswerTaker {
  settle(answer: MysqlAnswer | PreparedAnswer): void
  fail(error: unknown): void
  /** The agent has received a batch of rows, and another one follows. */
  asksAgain(): void
  /** Notes something that cannot be replayed. */
  note(what: string): void
}

/** Reads the answers to a command of any kind. */
function answersOf(command: MysqlCommand, kind: CommandKind, taker: AnswerTaker): CommandWatch {
  const failed = (error: unknown): void => taker.fail(error)
  if (kind === 'prepare') return { failed, result: (statement) => taker.settle(toPrepared(statement as PreparedStatement)) }
  if (kind !== 'query' && kind !== 'execute') return { failed, ended: () => taker.settle({}) }
  const isWhole = typeof command.onResult === 'function'
  return { failed, ...readAnswers(kind === 'execute', isWhole, taker) }
}

/**
 * Reads the answer to a query. If the agent receives each row as it arrives, as from a stream, the rows that arrived together are a batch. It is
 * recorded before the agent receives its first row.
 */
function readAnswers(isBinary: boolean, isWhole: boolean, taker: AnswerTaker): CommandWatch {
  let reader: ResultReader | undefined
  /** The number of packets that have been read ahead. */
  let ahead = 0
  let asksAgain = false
  let isLost = false
  const read = (packet: MysqlPacket, connection: MysqlConnection): void => {
    reader ??= new ResultReader({
      isBinary,
      isExtended: connection._mariadbExtendedMetadata === true,
      capabilities: connection._handshakePacket?.capabilityFlags ?? 0,
    })
    const packets = isWhole ? [packet.buffer.subarray(packet.start + 4, packet.end)] : packetsFrom(packet)
    ahead = -1
    for (const each of packets) {
      // An error after rows answers the next request.
      if (each[0] === 0xff && ahead >= 0) break
      reader.read(each)
      ahead += 1
      if (reader.wantsFile) taker.note('LOAD DATA LOCAL INFILE')
      reader.wantsFile = false
      if (reader.isOver) break
    }
    if (reader.hasFailed || (isWhole ? !reader.isOver : !reader.isReady)) return
    const answer = reader.take()
    taker.settle(answer)
    asksAgain = goesOn(answer)
  }
  return {
    packet(packet, connection) {
      if (isLost) return
      if (ahead > 0) {
        ahead -= 1
        return
      }
      try {
        read(packet, connection)
      } catch {
        // The agent continues with an answer that the trace does not have.
        isLost = true
        taker.note('an answer that cannot be read')
        taker.settle({})
      }
    },
    handled(isDone) {
      if (ahead > 0 || !asksAgain || isDone) return
      asksAgain = false
      taker.asksAgain()
    },
  }
}

/** A packet, and the packets that arrived with it. */
function* packetsFrom({ buffer, start, end }: MysqlPacket): Generator<Buffer> {
  yield buffer.subarray(start + 4, end)
  for (let next = end; next + 4 <= buffer.length;) {
    const length = buffer.readUIntLE(next, 3)
    // A packet split over several is read when it is complete.
    if (next + 4 + length > buffer.length || length === 0xff_ffff) return
    yield buffer.subarray(next + 4, next + 4 + length)
    next += 4 + length
  }
}

function toPrepared({ parameters = [], columns = [] }: PreparedStatement): PreparedAnswer {
  return { parameters: parameters.map(toField), fields: columns.map(toField) }
}
