import type { ServedSocket, Server } from '../served-connections.ts'
import { Pieces } from '../wire-bytes.ts'
import { lengthOfMessage, type PgField, type PgResult, pgMessages, requestsTls, resultMessages, startup } from './pg-messages.ts'

/**
 * What is answered to the next statement: of a text with several statements, to each. Rejects with the error that PostgreSQL gave.
 *
 * @param sql The statement, as far as the connection knows it.
 */
export type NextAnswer = (sql: string) => Promise<PgResult | readonly PgResult[]>

/** PostgreSQL as a driver sees it, with answers that come from elsewhere. */
export class PgServer implements Server {
  readonly #socket: Pick<ServedSocket, 'send' | 'end'>
  readonly #failure: Error | undefined
  readonly #next: NextAnswer
  readonly #onFailed: ((error: unknown) => void) | undefined
  readonly #pieces = new Pieces()
  /** Where the length of the next message stands. */
  #start: 0 | 1
  /** What is to be done once the answer before is there. */
  #work: Promise<void> = Promise.resolve()
  /** What waits for the answer to the statement that it prepares. */
  #held: ((result: PgResult | undefined) => Buffer)[] = []
  #sql = ''
  /** Of the rows that are read now: those of a cursor come with several answers. */
  #columns: readonly PgField[] = []
  /** After an error, all up to the next `Sync` is left out. */
  #isSkipping = false

  /**
   * @param onFailed Gets an error that is none of PostgreSQL's. Given for a connection that is open already.
   * @param failure What opening the connection fails with: PostgreSQL says so, or there is no connection.
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
    // `Parse` has the name of the statement first.
    if (type === 'Q' || type === 'P') this.#sql = body.toString('utf8', type === 'P' ? body.indexOf(0) + 1 : 0).split('\0', 1)[0] ?? ''
    if (type === 'Q' || type === 'E') {
      // It is asked for at once, since what is asked is known now.
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
      // As PostgreSQL does.
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

/** What PostgreSQL says of itself when a connection opens. */
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

/** Whether PostgreSQL itself has said an error. */
export function isPgError(error: unknown): error is Error {
  return error instanceof Error && 'severity' in error
}
