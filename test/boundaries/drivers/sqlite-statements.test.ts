import { afterAll, beforeEach, expect, it } from 'vitest'
import { external } from '../../../src/run/external.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { drivers, PromisedLibsql, sqlite } from './sqlite-drivers.ts'

const directory = await createTemporaryDirectory()
afterAll(() => directory[Symbol.asyncDispose]())

const file = directory.resolve('users.db')
beforeEach(() => {
  const db = new sqlite.DatabaseSync(file)
  db.exec(`DROP TABLE IF EXISTS users; CREATE TABLE users (id TEXT PRIMARY KEY, api_key TEXT, total REAL)`)
  db.exec(`INSERT INTO users VALUES ('u1', 'a', 1), ('u2', 'b', 2)`)
  db.close()
})

const ask = external('model', async (prompt: string) => prompt.length)
const update = 'UPDATE users SET api_key = ? WHERE id = ?'

it.each<readonly [sql: string, values: readonly unknown[], said: string]>([
  [update, ['zQ8vL2mN4pR6tY1w', 'u1'], "UPDATE users SET api_key = 'wI9hH9lD0aA0aA0b' WHERE id = 'u1'"],
  [update, ["it's", 5], "UPDATE users SET api_key = 'it''s' WHERE id = 5.0"],
  [update, ['b'], "UPDATE users SET api_key = 'b' WHERE id = NULL"],
  // Not more than there are.
  [update, ['c', 'u1', 'more'], "UPDATE users SET api_key = 'c' WHERE id = 'u1'"],
  [
    'SELECT \'?\', "id", [id] FROM users -- ?\nWHERE total > ? /* :id */',
    [1e-7],
    'SELECT \'?\', "id", [id] FROM users -- ?\nWHERE total > 1.0e-07 /* :id */',
  ],
  [
    'UPDATE users SET total = ?, api_key = ?3 WHERE id = :id AND total > @n',
    [{ id: 'u1', n: 3n }, 1e21, 7, Buffer.from('ab')],
    "UPDATE users SET total = 1.0e+21, api_key = x'6162' WHERE id = 'u1' AND total > 3",
  ],
  [
    'SELECT id FROM users WHERE id = :a OR id = :a OR id = $b',
    [{ ':a': 'u1', $b: null }],
    "SELECT id FROM users WHERE id = 'u1' OR id = 'u1' OR id = NULL",
  ],
])('gives the values in the SQL of a statement of node:sqlite: %s', async (sql, values, said) => {
  const agent = async (): Promise<void> => {
    const db = new sqlite.DatabaseSync(file)
    const statement = db.prepare(sql)
    await ask(statement.expandedSQL)
    try {
      statement.run(...(values as string[]))
    } catch {
      // More values than parameters.
    }
    await ask(statement.expandedSQL)
    db.close()
  }
  const { trace } = await recordRun(agent)
  expect(trace.steps.at(-1)?.input).toBe(said)
  await expectClean(trace, agent)
})

const isWithin = (db: object): unknown => Reflect.get(db, 'isTransaction') ?? Reflect.get(db, 'inTransaction')

it.each(drivers)('ends a transaction with a statement that rolls it back: %s', async (_label, open) => {
  for (const [sql, within] of [
    ["INSERT OR ROLLBACK INTO users VALUES ('u1', 'c', 3)", false],
    ["UPDATE OR ROLLBACK users SET id = 'u2'", false],
    ["INSERT INTO users VALUES ('u1', 'or rollback', 3)", true],
    ["INSERT OR ROLLBACK INTO users VALUES ('u3', 'c', 3)", true],
    ['INSERT OR ROLLBACK INTO nothing VALUES (1)', true],
  ] as const)
    for (const way of ['run', 'exec']) {
      const agent = async (): Promise<unknown> => {
        const db = open(file)
        db.exec('BEGIN')
        try {
          if (way === 'run') db.prepare(sql).run()
          else db.exec(sql)
        } catch {
          // A conflict.
        }
        const seen = isWithin(db)
        if (seen === true) db.exec('ROLLBACK')
        db.close()
        return seen
      }
      const { trace, output } = await recordRun(agent)
      expect(output).toBe(within)
      await expectClean(trace, agent)
    }
})

it('ends a transaction with a promised statement that rolls it back', async () => {
  const agent = async (): Promise<unknown> => {
    const db = new PromisedLibsql(file, {}) as unknown as { exec(sql: string): Promise<unknown>; close(): void }
    await db.exec('BEGIN')
    await db.exec("INSERT OR ROLLBACK INTO users VALUES ('u1', 'c', 3)").catch(() => undefined)
    const seen = isWithin(db)
    db.close()
    return seen
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toBe(false)
  await expectClean(trace, agent)
})
