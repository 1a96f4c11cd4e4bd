import { knownOrMade } from '../../trace/remember.ts'
import { autocommitOf, transactionPart } from '../../boundaries/drivers/sql.ts'
import { sqlOf, transactionOf } from './asked-sql.ts'
import { captureAnswer, forReal } from './capture-answer.ts'
import { openers, type SandboxConnection } from './openers.ts'
import { RolledBackTransaction } from './rolled-back-transaction.ts'
import type { SandboxDatabase } from './split-databases.ts'

type Answer = (input: unknown, call: { readonly name: string }) => Promise<unknown>

/** The databases of one fork's sandbox. Each is connected at its first request. */
export class SandboxDatabases {
  /** Answers the calls of a driver. */
  readonly answers: Readonly<Record<string, Answer>>
  readonly #open = new Map<string, Promise<SandboxConnection>>()
  readonly #rolledBack = new Map<string, Promise<RolledBackTransaction>>()

  constructor(databases: Readonly<Record<string, SandboxDatabase>>) {
    this.answers = Object.fromEntries(
      Object.entries(databases)
        .filter(([driver]) => Object.hasOwn(openers, driver))
        .map(([driver, database]): [string, Answer] => [driver, (input, { name }) => this.#ask(driver, database, name, input)]),
    )
  }

  async #ask(driver: string, { url, rollback }: SandboxDatabase, name: string, input: unknown): Promise<unknown> {
    if (name === `${driver} connect`) return undefined
    if (rollback !== true) return await this.#askCommitting(driver, url, name, input)
    const begin = async (): Promise<RolledBackTransaction> => new RolledBackTransaction(await this.#connect(driver, driver, url), driver)
    return await (await knownOrMade(this.#rolledBack, driver, begin)).ask(name, input)
  }

  /** Gives each transaction its own connection, as the agent does. */
  async #askCommitting(driver: string, url: string, name: string, input: unknown): Promise<unknown> {
    const number = transactionOf(input)
    const key = `${driver} ${number ?? ''}`
    const isNew = !this.#open.has(key)
    const connection = await this.#connect(key, driver, url)
    const ask = (asked: unknown): Promise<unknown> => captureAnswer(() => connection.ask(name, asked))
    const sql = sqlOf(input)
    const isWithin = number !== undefined && openers[driver]?.speaksSql === true
    // A fork may start inside a transaction, and with MySQL one may begin without a statement of its own.
    if (isWithin && isNew && transactionPart(sql) !== 'begins') await ask({ sql: 'BEGIN' })
    const autocommit = autocommitOf(sql)
    if (autocommit === undefined) return await ask(input)
    return await ask({ sql: isWithin && autocommit === 'turned on' ? 'COMMIT' : 'DO 0' })
  }

  #connect(key: string, driver: string, url: string): Promise<SandboxConnection> {
    return knownOrMade(this.#open, key, () => {
      const opener = openers[driver]
      if (opener === undefined) throw new TypeError(`goldenrun cannot open a sandbox of ${driver}`)
      return forReal(() => opener.open(url))
    })
  }

  /** Closes the connections; with `rollback`, this rolls back. */
  async close(): Promise<void> {
    for (const connection of this.#open.values()) await connection.then((each) => forReal(() => each.close())).catch(() => undefined)
    this.#open.clear()
  }
}
