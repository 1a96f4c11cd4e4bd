import { existsSync, rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { guardProcess } from '../../../src/boundaries/contact/guard.ts'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'
import { type Database, drivers, type Statement } from './sqlite-drivers.ts'

/** As a module does when it loads. */
function load(open: (file: string) => Database, file: string): { readonly database: Database; readonly find: Statement } {
  const database = open(file)
  database.exec('CREATE TABLE IF NOT EXISTS visits (id text)')
  return { database, find: database.prepare('SELECT * FROM orders WHERE id = ?') }
}

it.each(drivers)(
  'answers a database and a statement that were made before the replay, of a file that does not exist: %s',
  async (label, open) => {
    await using directory = await createTemporaryDirectory()
    const file = directory.resolve('shop.db')
    const setUp = open(file)
    setUp.exec("CREATE TABLE orders (id text PRIMARY KEY, total real); INSERT INTO orders VALUES ('ord_1', 12.5)")
    setUp.close()
    const shut = installDoors()
    const recorded = load(open, file)
    const { trace, output } = await recordRun(() => recorded.find.get('ord_1')?.['total'])
    recorded.database.close()
    expect(output).toBe(12.5)
    expect(trace.steps.map(({ name }) => name)).toEqual([`${label} SELECT`])

    rmSync(file)
    const release = guardProcess()
    const { database, find } = load(open, file)
    const { divergences, outcome } = await replay(trace, () => find.get('ord_1')?.['total'])
    expect([divergences, outcome]).toEqual([[], { status: 'returned', output }])
    expect(() => find.get('ord_1')).toThrow(/no such table: orders/)
    database.close()
    release()
    shut()
    expect(existsSync(file)).toBe(false)
  },
)

it.each(drivers)('throws again what preparing threw, of a file that does not exist: %s', async (_label, open) => {
  await using directory = await createTemporaryDirectory()
  const file = directory.resolve('shop.db')
  const setUp = open(file)
  setUp.exec('CREATE TABLE orders (id text PRIMARY KEY)')
  setUp.close()
  const agentOf = (database: Database) => (): string => {
    try {
      database.prepare('SELECT * FROM invoices')
      return 'prepared'
    } catch (error) {
      return (error as Error).message
    }
  }
  const shut = installDoors()
  const recorded = open(file)
  const { trace, output } = await recordRun(agentOf(recorded))
  recorded.close()
  expect(output).toBe('no such table: invoices')

  rmSync(file)
  const release = guardProcess()
  const database = open(file)
  const { divergences, outcome } = await replay(trace, agentOf(database))
  expect([divergences, outcome]).toEqual([[], { status: 'returned', output }])
  database.close()
  release()
  shut()
})
