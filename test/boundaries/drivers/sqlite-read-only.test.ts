import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { BetterSqlite, type Database, sqlite } from './sqlite-drivers.ts'

it.each([
  ['better-sqlite3', (file: string, readonly: boolean) => new BetterSqlite(file, { readonly }) as Database],
  ['node:sqlite', (file: string, readOnly: boolean) => new sqlite.DatabaseSync(file, { readOnly })],
])('is red where %s now opens read-only what is written, and not where a temporary table is', async (_driver, open) => {
  await using directory = await createTemporaryDirectory()
  const file = directory.resolve('orders.db')
  const setup = open(file, false)
  setup.exec("CREATE TABLE orders (id TEXT PRIMARY KEY, total INT); INSERT INTO orders VALUES ('ord_1', 12)")
  setup.close()
  let isReadOnly = false
  const use = (sql: string) => (): unknown => {
    const db = open(file, isReadOnly)
    const before = db.prepare('SELECT id FROM orders').all().length
    db.exec('CREATE TEMP TABLE seen (id TEXT)')
    db.exec(sql)
    db.close()
    return before
  }
  const write = use("UPDATE orders SET total = 1 WHERE id = 'ord_1'")
  const { trace } = await recordRun(write)
  isReadOnly = true
  const causes = async (given: typeof trace, agent: () => unknown): Promise<unknown[]> => {
    const { divergences } = await replay(given, agent)
    return divergences.map(({ cause, step, differences }) => [cause, step, differences.map(({ path }) => path)])
  }
  expect((await causes(trace, write))[0]).toEqual(['input', 2, ['args.readonly']])
  const note = use("INSERT INTO seen VALUES ('ord_1')")
  const temporary = await recordRun(note)
  expect(await causes(temporary.trace, note)).toEqual([])
})
