import type { ServedSocket, Server } from '../served-connections.ts'
import { Pieces } from '../wire-bytes.ts'
import { lengthOfMessage, type PgField, type PgResult, pgMessages, requestsTls, resultMessages, startup } from './pg-messages.ts'

/**
 * The answer to the next statement, or to each of several statements in one text. Rejects with PostgreSQL's error.
 *
 * @param sql The statement, if the connection knows it.
 */
export type NextAnswer = (sql: string) => Promise<PgResult | readonly PgResult[]>

/** PostgreSQL as a driver sees it, with answers supplied from outside. */
export class PgServer implements Server {
  readonly #socket: Pick<ServedSocket, 'send' | 'end'>
  readonly #failure: Error | undefined
  readonly #next: NextAnswer
  readonly #onFailed: ((error: unknown) => void) | undefined
  readonly #pieces = new Pieces()
  /** The offset of the length in the next message. */
  #start: 0 | 1
  /** Work that waits for the previous answer. */
  #work: Promise<void> = Promise.resolve()
  /** Replies that wait for the answer to the statement that they prepare. */
  #held: ((result: PgResult | undefined) => Buffer)[] = []
  #sql = ''
  /** The columns of the rows being read: a cursor's rows come in several answers. */
  #columns: readonly PgField[] = []
  /** After an error, everything up to the next `Sync` is skipped. */
  #isSkipping = false

  /**
   * @param onFailed Gets an error that is not PostgreSQL's. Given for a connection that is already open.
   * @param failure Why opening the connection fails: PostgreSQL's error, or there is no connection.
   */
  constructor(socket: Pick<ServedSocket, 'send' | 'end'>, next: NextAnswer, onFailed?: (error: unknown) => void, failure?: Error) {
    this.#failure = failure
    this.#onFailed = onFailed
    this.#socket = socket
    this.#next = next
    this.#start = onFailed === undefined ? 0 : 1
  }

  receive(bytes: Buffer): void {
    for (const message of this.#pieces.take(bytes, (rest) => lengthOfMessage(rest, this.#start))) {
      const body = message.subarray(this.#start + 4)
      if (this.#start === 0) this.#opens(body.readUInt32BE(0))
      else this.#hear(String.fromCharCode(message[0] ?? 0), body)
    }
  }

  #hear(type: string, body: Buffer): void {
    if (type === 'X') return this.#socket.end()
    // In `Parse`, the name of the statement comes first.
    if (type === 'Q' || type === 'P') this.#sql = body.toString('utf8', type === 'P' ? body.indexOf(0) + 1 : 0).split('\0', 1)[0] ?? ''
    if (type === 'Q' || type === 'E') {
      // Requested immediately, since the statement is known now.
      const answer = this.#isSkipping ? undefined : this.#next(this.#sql)
      answer?.catch(() => undefined)
      this.#work = this.#work.then(() => this.#answer(answer, type === 'Q'))
    } else this.#work = this.#work.then(() => this.#replies(type, body))
  }

  #opens(code: number): void {
    if (code === startup) this.#start = 1
    if (code === startup && this.#failure !== undefined) {
      this.#socket.send(pgMessages.error(this.#failure))
      this.#socket.end()
    } else if (code === startup) {
      const parameters = Object.entries(serverParameters).map(([name, value]) => pgMessages.parameter(name, value))
      this.#socket.send(Buffer.concat([pgMessages.authenticated(), ...parameters, pgMessages.keyData(), pgMessages.ready()]))
    } else if (code === requestsTls) this.#socket.send(Buffer.from('S'))
    else this.#socket.end()
  }

  #replies(type: string, body: Buffer): void {
    if (type === 'S') {
      this.#release(undefined)
      this.#isSkipping = false
      this.#socket.send(pgMessages.ready())
    } else if (this.#isSkipping) {
      // Skipped, as in PostgreSQL.
    } else if (type === 'P') this.#held.push(() => pgMessages.parsed())
    else if (type === 'B') this.#held.push(() => pgMessages.bound())
    else if (type === 'C') this.#held.push(() => pgMessages.closed())
    else if (type === 'D') {
      const ofStatement = String.fromCharCode(body[0] ?? 0) === 'S'
      this.#held.push((result) => {
        const described = result?.fields === undefined ? pgMessages.noData() : pgMessages.fields(result.fields)
        return ofStatement ? Buffer.concat([pgMessages.noParameters(), described]) : described
      })
    }
  }

  #release(result: PgResult | undefined): void {
    for (const make of this.#held.splice(0)) this.#socket.send(make(result))
  }

  async #answer(answer: ReturnType<NextAnswer> | undefined, isSimple: boolean): Promise<void> {
    if (answer === undefined || this.#isSkipping) return
    try {
      const results = [await answer].flat() as readonly PgResult[]
      if (!isSimple) this.#release(results[0])
      for (const result of results) {
        this.#columns = result.fields ?? this.#columns
        for (const each of resultMessages(result, !isSimple, this.#columns)) this.#socket.send(each)
      }
    } catch (error) {
      this.#held = []
      this.#isSkipping = !isSimple
      if (this.#onFailed !== undefined && !isPgError(error)) return this.#onFailed(error)
      this.#socket.send(pgMessages.error(error as Error))
    }
    if (isSimple) this.#socket.send(pgMessages.ready())
  }
}

/** PostgreSQL's parameters when a connection opens. */
const serverParameters = {
  server_version: '17.0',
  server_encoding: 'UTF8',
  client_encoding: 'UTF8',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  integer_datetimes: 'on',
  standard_conforming_strings: 'on',
} as const

/** Whether an error came from PostgreSQL itself. */
export function isPgError(error: unknown): error is Error {
  return error instanceof Error && 'severity' in error
}
