import { readdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createJestWorkspace, expectPassed, type JestWorkspace } from '../support/jest-workspace.ts'
import { environmentConfig, recordFile } from './files.ts'

let workspace: JestWorkspace
beforeAll(async () => {
  workspace = await createJestWorkspace()
})
afterAll(() => workspace[Symbol.asyncDispose]())

const insert = `.exec("INSERT INTO orders VALUES ('ord_1')")`
const test = (before: string, take: string): string => `const { replay } = require('goldenrun/jest')
const { record } = require('./record.js')
${before}

test('is refused', async () => {
  const file = await record(async () => 'done')
  const run = await replay(file, async () => {
    ${take}
    return 'done'
  })
  expect(run.divergences.map(({ cause }) => cause)).toEqual(['unexpected-call'])
  expect(run).not.toReplayWithoutDivergence()
})
`

it('lets no replay write to a database of node:sqlite, however it is loaded', async () => {
  const open = `new DatabaseSync(__dirname + '/orders.db')`
  const require = "const { DatabaseSync } = require('node:sqlite')"
  const { folder, ...result } = await workspace.jest({
    'jest.config.cjs': environmentConfig,
    'record.js': recordFile,
    'a.test.js': test(`${require}\nconst database = ${open}\ndatabase.exec('CREATE TABLE orders (id)')`, `database${insert}`),
    'b.test.js': test(require, `${open}${insert}`),
    'c.test.js': test(`${require}\nconst insert = ${open}.prepare("INSERT INTO orders VALUES ('ord_1')")`, 'insert.run()'),
    'd.test.js': test('', `${require}\n    ${open}${insert}`),
    'e.test.js': test('', `const { DatabaseSync } = process.getBuiltinModule('node:sqlite')\n    ${open}${insert}`),
  })
  expectPassed({ folder, ...result }, 5)
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.db'))
  const database = new DatabaseSync(path.join(folder, file))
  expect(database.prepare('SELECT count(*) AS orders FROM orders').get()).toEqual({ orders: 0 })
  database.close()
})
