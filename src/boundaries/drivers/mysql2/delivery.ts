import { runBelow, runInScope, type Scope } from '../../../run/scope.ts'
import type { CommandKind, MysqlCommand, MysqlConnection } from './mysql-client.ts'
import { goesOn, type MysqlAnswer, type PreparedAnswer } from './mysql-result.ts'
import { serverHello } from './mysql-server.ts'
import type { ResultForm } from './result-reader.ts'
import { frame, isMysqlError, ResultWriter, writeError } from './result-writer.ts'
import { watchCommand } from './watch-command.ts'

/** Asks for an answer. @param batch The first one is 1. */
export type Ask = (batch: number) => Promise<unknown>

/** Hands one command its answer. */
export class Delivery {
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
      failed: () => this.#error,
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

function formOf(connection: MysqlConnection, kind: CommandKind): ResultForm {
  const { capabilityFlags: capabilities } = serverHello
  return { isBinary: kind === 'execute', isExtended: connection._mariadbExtendedMetadata === true, capabilities }
}
