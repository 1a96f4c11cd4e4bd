import { captureAnswer } from './capture-answer.ts'
import { sqlOf, transactionOf } from './asked-sql.ts'
import type { SandboxConnection } from './openers.ts'
import type { SqlDialect } from './sql-readings.ts'
import { readControl, type ReadControl } from './transaction-control.ts'

/** A transaction that is never committed. All work on its connection is part of it, and the agent's own transactions are savepoints. */
export class RolledBackTransaction {
  readonly #connection: SandboxConnection
  readonly #driver: string
  readonly #dialect: SqlDialect
  readonly #points = new Set<string>()
  #isBegun = false
  #ended: Error | undefined
  #work: Promise<unknown> = Promise.resolve()

  constructor(connection: SandboxConnection, driver: string) {
    this.#connection = connection
    this.#driver = driver
    this.#dialect = driver === 'mysql2' ? 'mysql' : 'postgres'
  }

  /**
   * Repeats steps one after another, each in a savepoint. Rejects, without sending it, SQL that might end the transaction.
   *
   * @param name The step's name.
   * @param input The step's input.
   */
  ask(name: string, input: unknown): Promise<unknown> {
    const asked = this.#work.then(() => this.#askNow(name, input))
    this.#work = asked.catch(() => undefined)
    return asked
  }

  async #askNow(name: string, input: unknown): Promise<unknown> {
    if (this.#ended !== undefined) throw this.#ended
    const { control, chains } = isParsedOnly(name) ? nothing : readControl(sqlOf(input), this.#dialect)
    if (!this.#isBegun) await this.#run('BEGIN')
    this.#isBegun = true
    const number = transactionOf(input)
    const point = `goldenrun_${number ?? 0}`
    if (name === 'mysql2 reset') return await this.#reset()
    if (control === 'begins') return await this.#begin(point)
    const ends = control === 'keeps' || control === 'undoes' || control === 'turns autocommit on'
    // A fork may start inside a transaction, and with MySQL one may begin without a statement of its own.
    if ((ends || number !== undefined) && !this.#points.has(point)) await this.#begin(point)
    if (ends) {
      const answer = await this.#end(point, control !== 'undoes')
      if (chains) await this.#begin(point)
      return answer
    }
    const isSent = control === 'none' || control === 'savepoint'
    return await this.#askOne(() => this.#connection.ask(name, isSent ? input : { sql: 'DO 0' }), control === 'savepoint')
  }

  /** Runs one of this transaction's own statements. */
  #run(sql: string): Promise<unknown> {
    return captureAnswer(() => this.#connection.ask(`${this.#driver} SQL`, { sql }))
  }

  async #begin(point: string): Promise<unknown> {
    this.#points.add(point)
    return { ...((await this.#run(`SAVEPOINT ${point}`)) as object), command: 'BEGIN' }
  }

  async #end(point: string, isKept: boolean): Promise<unknown> {
    this.#points.delete(point)
    const answer = await this.#run(isKept ? `RELEASE SAVEPOINT ${point}` : `ROLLBACK TO SAVEPOINT ${point}`)
    return { ...(answer as object), command: isKept ? 'COMMIT' : 'ROLLBACK' }
  }

  /** Resetting the connection would end this transaction, and a step does not say which of the agent's transactions its reset would end. */
  async #reset(): Promise<unknown> {
    if (this.#points.size > 0) throw new Error('A sandbox that is rolled back does not reset a connection within a transaction.')
    return await this.#run('DO 0')
  }

  /**
   * Runs a statement whose failure must not end the surrounding transaction.
   *
   * @param setsPoint Whether it handles one of the agent's savepoints: releasing an earlier one removes ours, and releasing ours would remove later ones.
   */
  async #askOne(ask: () => unknown, setsPoint: boolean): Promise<unknown> {
    await this.#run('SAVEPOINT goldenrun_statement')
    try {
      const answer = await captureAnswer(ask)
      if (!setsPoint) await this.#run('RELEASE SAVEPOINT goldenrun_statement').catch((error: unknown) => this.#stop(error))
      return answer
    } catch (error) {
      if (this.#ended === undefined)
        await this.#run('ROLLBACK TO SAVEPOINT goldenrun_statement').catch((cause: unknown) => this.#stop(cause))
      throw error
    }
  }

  /** Stops because the savepoint, and so the transaction, ended in a way that the statement did not show: no further request is sent. */
  #stop(cause: unknown): never {
    this.#ended = new Error(
      'The last statement ended the transaction of the sandbox, so its changes may persist. No further statement is run.',
      {
        cause,
      },
    )
    throw this.#ended
  }
}

/** Whether a step has no SQL, or only has its SQL parsed. */
function isParsedOnly(name: string): boolean {
  return name === 'mysql2 prepare' || name === 'mysql2 reset'
}

const nothing: ReadControl = { control: 'none', chains: false }
