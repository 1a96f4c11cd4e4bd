import { autocommitOf, transactionPart } from '../../boundaries/drivers/sql.ts'
import { captureAnswer } from './capture-answer.ts'
import type { SandboxConnection } from './openers.ts'
import { sqlOf, transactionOf } from './asked-sql.ts'

/** A transaction that is never committed. What happens on its connection is part of it, and the agent's own transactions are savepoints. */
export class RolledBackTransaction {
  readonly #connection: SandboxConnection
  readonly #points = new Set<string>()
  #isBegun = false
  #work: Promise<unknown> = Promise.resolve()

  constructor(connection: SandboxConnection) {
    this.#connection = connection
  }

  /** Asks what a step asked, one after another: each has a savepoint. @param name Of the step. @param input As the step has it. */
  ask(name: string, input: unknown): Promise<unknown> {
    const asked = this.#work.then(() => this.#askNow(name, input))
    this.#work = asked.catch(() => undefined)
    return asked
  }

  async #askNow(name: string, input: unknown): Promise<unknown> {
    const run = (sql: string): Promise<unknown> => captureAnswer(() => this.#connection.ask(name, { sql }))
    if (!this.#isBegun) await run('BEGIN')
    this.#isBegun = true
    const sql = sqlOf(input)
    const [part, autocommit, number] = [transactionPart(sql), autocommitOf(sql), transactionOf(input)]
    const point = `goldenrun_${number ?? 0}`
    if (part === 'begins') return await this.#begin(point, run)
    const ends = part === 'ends' || autocommit === 'turned on'
    // A fork may be within a transaction, and with MySQL one may begin without a statement of its own.
    if ((ends || number !== undefined) && !this.#points.has(point)) await this.#begin(point, run)
    if (ends) return await this.#end(point, !/^\s*(?:rollback|abort)/i.test(sql), run)
    return await this.#askOne(() => this.#connection.ask(name, autocommit === undefined ? input : { sql: 'DO 0' }), run)
  }

  async #begin(point: string, run: (sql: string) => Promise<unknown>): Promise<unknown> {
    this.#points.add(point)
    return { ...((await run(`SAVEPOINT ${point}`)) as object), command: 'BEGIN' }
  }

  async #end(point: string, isKept: boolean, run: (sql: string) => Promise<unknown>): Promise<unknown> {
    this.#points.delete(point)
    const answer = await run(isKept ? `RELEASE SAVEPOINT ${point}` : `ROLLBACK TO SAVEPOINT ${point}`)
    return { ...(answer as object), command: isKept ? 'COMMIT' : 'ROLLBACK' }
  }

  /** A statement that fails must not end the transaction around it. */
  async #askOne(ask: () => unknown, run: (sql: string) => Promise<unknown>): Promise<unknown> {
    await run('SAVEPOINT goldenrun_statement')
    try {
      const answer = await captureAnswer(ask)
      await run('RELEASE SAVEPOINT goldenrun_statement')
      return answer
    } catch (error) {
      await run('ROLLBACK TO SAVEPOINT goldenrun_statement')
      throw error
    }
  }
}
