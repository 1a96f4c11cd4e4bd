import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { promote } from '../../src/goldens/promote.ts'
import { replay } from '../../src/replay/replay.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { record } from '../support/recordings.ts'
import { runCommand } from '../support/run-command.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'
const input = { ticket: 'Where is my order?', customer: { name: 'Ada Lovelace' } }
const rules = `redact: { rules: [{ name: 'people', pattern: /\\bAda L\\w{7}/ }] }`
const body = '{"id":"ord_1","status":"packed","to":"Ada Lovelace, London"}'

/** Answers in two pieces, which divide the name, with a digest of the whole. */
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', etag: `"${createHash('md5').update(body).digest('hex')}"` })
  response.write(body.slice(0, 46))
  void pause(20).then(() => response.end(body.slice(46)))
})
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => void server.close())

const agentOf = (reply: string): string => `export async function supportAgent({ ticket, customer }) {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ ticket, about: 'for ' + customer.name }) }
  const order = await (await fetch('http://127.0.0.1:${(server.address() as AddressInfo).port}/orders', request)).json()
  return { reply: ${reply} }
}
`
const printing = "'Dear ' + customer.name + ', it goes to ' + order.to"
const looking = "customer.name.startsWith('Ada') ? 'Hello Countess' : 'Hello'"

/** Records a run of an agent, before there is a rule, promotes it, and then adds the rule to the config. */
async function promoteRun(project: TemporaryDirectory, reply: string): Promise<string> {
  project.enter()
  const file = await project.write('agent.mjs', agentOf(reply))
  const { supportAgent } = (await import(`${pathToFileURL(file).href}?${Math.random()}`)) as {
    supportAgent: (given: typeof input) => unknown
  }
  const id = await record(store, { input, tags: { person: 'Ada Lovelace' } }, supportAgent)
  await promote(await readTrace(id), { name: 'order' })
  await project.write('goldenrun.config.ts', `export default { agents: { support: './agent.mjs#supportAgent' }, ${rules} }`)
  return id
}

it('redacts a golden by a new rule, in every place and across pieces, and it still holds', async () => {
  await using project = await createTemporaryDirectory()
  await promoteRun(project, printing)
  const found = await runCommand(project.path, ['check'])
  expect([found.status, found.stdout]).toEqual([1, expect.stringContaining('something that looks like a secret')])
  const before = await project.read('golden-traces/order.jsonl')
  const dry = await runCommand(project.path, ['scrub', 'goldens', '--dry-run', '--json'])
  expect([dry.status, JSON.parse(dry.stdout)]).toEqual([
    1,
    {
      scrubbed: false,
      goldens: [
        {
          name: 'order',
          file: 'golden-traces/order.jsonl',
          values: 1,
          holds: 'yes',
          places: expect.arrayContaining(['run.input.customer.name', 'run.tags.person']),
        },
      ],
      unreadable: [],
    },
  ])
  expect(await project.read('golden-traces/order.jsonl')).toBe(before)

  const done = await runCommand(project.path, ['scrub', 'goldens', '--yes'])
  expect([done.status, done.stderr, done.stdout.split('\n').slice(-2)]).toEqual([0, '', ['Scrubbed 1 golden.', '']])
  const after = await project.read('golden-traces/order.jsonl')
  expect(after).not.toMatch(/Ada Love|lace|Lovelace/)
  const run = await replay(
    'order',
    ((await import(`${pathToFileURL(project.resolve('agent.mjs')).href}?again`)) as { supportAgent: never }).supportAgent,
  )
  expect(run.divergences).toEqual([])
  expect((await runCommand(project.path, ['check'])).status).toBe(0)

  const again = await runCommand(project.path, ['scrub', 'goldens', '--yes'])
  expect(again).toEqual({ status: 0, stdout: "Today's rules find nothing in any golden.\n", stderr: '' })
  expect(await project.read('golden-traces/order.jsonl')).toBe(after)
})

it('names a golden that has to be recorded again, because its agent looks into what is redacted now', async () => {
  await using project = await createTemporaryDirectory()
  await promoteRun(project, looking)
  const { status, stdout } = await runCommand(project.path, ['scrub', 'goldens', '--yes'])
  expect([status, stdout.split('\n').slice(-3)]).toEqual([
    1,
    ['Scrubbed 1 golden.', 'The agent looks into what is redacted now. Record again: order', ''],
  ])
})

it('redacts recordings by a new rule, and their rows in the index', async () => {
  await using project = await createTemporaryDirectory()
  const id = await promoteRun(project, printing)
  const failed = await record(store, { input: {} }, () => Promise.reject(new Error('No order of Ada Lovelace')))
  const other = await record(store, { input: { ticket: 'Hello' } }, () => 'Good morning')
  const untouched = readFileSync(project.resolve(store, `${other}.runlog`))
  await createDirectoryStore(store).flag(id, 'wrong amount')

  const done = await runCommand(project.path, ['scrub', store, '--yes', '--json'])
  expect([done.status, JSON.parse(done.stdout)]).toMatchObject([
    0,
    {
      scrubbed: true,
      searched: 3,
      recordings: [
        { id: failed, values: 1 },
        { id, values: 1, place: store },
      ],
      underWay: [],
      unreadable: [],
    },
  ])
  const read = createDirectoryStore(store)
  for (const scrubbed of [id, failed]) expect((await read.read(scrubbed))?.text).not.toMatch(/Lovelace|Ada Love/)
  expect((await read.find({ flagged: true })).runs).toMatchObject([{ id, flags: ['wrong amount'] }])
  expect((await read.readStep(id, 1)).map(({ kind }) => kind)).toContain('head')
  expect(readFileSync(project.resolve(store, `${other}.runlog`))).toEqual(untouched)
  expect(filesWith(project.resolve(store), 'Lovelace')).toEqual([])
  const agent = ((await import(`${pathToFileURL(project.resolve('agent.mjs')).href}?recording`)) as { supportAgent: never }).supportAgent
  expect((await replay(await readTrace(id, { store }), agent)).divergences).toEqual([])
  expect((await runCommand(project.path, ['scrub', 'store', '--yes'])).stdout).toBe(
    "Today's rules find nothing in any recording. 3 recordings searched.\n",
  )
})

it('scrubs with the named rules only', async () => {
  await using project = await createTemporaryDirectory()
  await promoteRun(project, printing)
  const other = await runCommand(project.path, ['scrub', store, '--rule', 'email', '--yes'])
  expect([other.status, other.stdout]).toEqual([0, "Today's rules find nothing in any recording. 1 recording searched.\n"])
  const unknown = await runCommand(project.path, ['scrub', store, '--rule', 'nobody'])
  expect([unknown.status, unknown.stderr]).toEqual([
    2,
    expect.stringMatching(/^There is no redaction rule "nobody"\. Rules: people, private-key, /),
  ])
  expect((await runCommand(project.path, ['scrub', store, '--rule', 'people', '--yes'])).stdout).toContain('Scrubbed 1 recording.')
})

it('names a store in which it cannot replace recordings', async () => {
  await using project = await createTemporaryDirectory()
  const own = '{ open: () => undefined, list: async () => [], read: async () => undefined }'
  await project.write('goldenrun.config.mjs', `export default { store: ${own} }`)
  expect(await runCommand(project.path, ['scrub', 'store', '--yes'])).toEqual({
    status: 2,
    stdout: '',
    stderr: 'Cannot scrub recordings: the store has no "replace". Use a store that has it; a directory does.\n',
  })
})

it('names runs whose flags it leaves, where the rules find something in them', async () => {
  await using project = await createTemporaryDirectory()
  const id = await promoteRun(project, printing)
  await createDirectoryStore(store).flag(id, 'Ada Lovelace complained')
  const { status, stdout } = await runCommand(project.path, ['scrub', store, '--yes'])
  expect([status, stdout.split('\n').slice(-3)]).toEqual([
    1,
    [
      'Scrubbed 1 recording. 1 recording searched.',
      `Flags stay, and the rules find something in the reasons of these runs: ${id}. Forget a run to remove its flags.`,
      '',
    ],
  ])
})

/** The files below a directory whose bytes have a text. */
function filesWith(directory: string, text: string): string[] {
  const names = readdirSync(directory, { recursive: true }).map(String)
  return names.filter((name) => statSync(path.join(directory, name)).isFile() && readFileSync(path.join(directory, name)).includes(text))
}
