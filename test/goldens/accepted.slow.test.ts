import { readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { createRecorder } from '../../src/record/recorder.ts'
import { type CommandResult, spawnCommand } from '../support/run-command.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

// Each command starts processes that replay.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: Server

beforeAll(async () => {
  server = createServer((request, response) => request.resume().on('end', () => response.end('{"reply":"ok"}')))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(() => void server.close())

let directory: TemporaryDirectory

/** A project whose agent has modules, prompts, data, a package of each kind and a secret, with a golden that was promoted by the command. */
beforeEach(async () => {
  directory = await createTemporaryDirectory()
  const { port } = server.address() as AddressInfo
  await Promise.all(
    Object.entries({
      'package.json': '{ "name": "shop", "type": "module", "version": "1.0.0" }',
      '.env': 'PASSWORD=hunter2hunter2',
      'prompts/system.md': 'Be brief.\n',
      'prompts/people.md': 'Escalate to jane.doe@gmail.com.\n',
      'data/routes.json': '{ "chair": "furniture" }',
      'secrets/password.txt': 'hunter2\n',
      'notes/one.md': 'A note of two words.\n',
      'src/words.ts': "export const greeting: string = 'Hello'\n",
      'node_modules/esm-client/package.json': '{ "name": "esm-client", "version": "2.0.0", "type": "module", "exports": "./index.js" }',
      'node_modules/esm-client/index.js':
        "import { name } from 'inner'\nexport const post = (url, body) => fetch(url, { method: 'POST', body: JSON.stringify({ ...body, name }) })\n",
      'node_modules/inner/package.json': '{ "name": "inner", "version": "0.1.0", "main": "index.cjs" }',
      'node_modules/inner/index.cjs': "exports.name = 'inner'\n",
      'goldenrun.config.mjs': "export default { store: './runs', agents: { chat: './src/agent.ts#agent' } }\n",
      'src/agent.ts': `import { readFileSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { post } from 'esm-client'
import { greeting } from './words.ts'

const system = readFileSync(new URL('../prompts/system.md', import.meta.url), 'utf8') + readFileSync(new URL('../prompts/people.md', import.meta.url), 'utf8').slice(0, 0)
readFileSync(new URL('../.env', import.meta.url))
readFileSync(new URL('../secrets/password.txt', import.meta.url))
let override = ''
try {
  override = readFileSync(new URL('../prompts/override.md', import.meta.url), 'utf8')
} catch {}
const notes = readdirSync(new URL('../notes/', import.meta.url))

export async function agent({ item }: { item: string }): Promise<unknown> {
  const routes = JSON.parse(await readFile(new URL('../data/routes.json', import.meta.url), 'utf8'))
  const response = await post('http://127.0.0.1:${port}', { system: system + override, notes, greeting, item, route: routes[item], pid: process.env.OWN_PID })
  await writeFile(new URL('../state.json', import.meta.url), JSON.stringify({ at: process.pid }))
  await readFile(new URL('../state.json', import.meta.url))
  return await response.json()
}
`,
    }).map(([file, text]) => directory.write(file, text)),
  )
  const { agent } = (await import(pathToFileURL(directory.resolve('src/agent.ts')).href)) as { agent: (input: { item: string }) => unknown }
  const recorder = createRecorder({ store: directory.resolve('runs') })
  await recorder.run({ agent: 'chat', input: { item: 'chair' } }, agent)
  await recorder.close()
  return async () => directory[Symbol.asyncDispose]()
})

const run = (...args: string[]): Promise<CommandResult> => spawnCommand(directory.path, args)
const promote = (name: string): Promise<CommandResult> => run('promote', 'latest', '--name', name, '--yes')
const edit = async (file: string, from: string, to: string): Promise<void> => {
  const text = await readFile(directory.resolve(file), 'utf8')
  expect(text).toContain(from)
  await directory.write(file, text.replace(from, to))
}

interface JsonReport {
  readonly headline: string
  readonly advice: readonly { readonly words: string; readonly command?: string }[]
}

async function redReport(): Promise<JsonReport> {
  const { status, stdout } = await run('replay', 'chair', '--json')
  expect(status).toBe(1)
  const [report] = (JSON.parse(stdout) as { readonly reports: readonly JsonReport[] }).reports
  if (report === undefined) throw new Error('There is no report.')
  return report
}

it('writes down what the accepted runs were made of, and nothing that may hold a secret', async () => {
  const { stdout } = await promote('chair')
  expect(stdout).toContain('Wrote golden-traces/chat.accepted, so that a red report can say what has changed.\n')
  const text = await readFile(directory.resolve('golden-traces/chat.accepted'), 'utf8')
  const rows = text.split('\n').flatMap((line) => (line.startsWith('#') || line === '' ? [] : [line.split('\t')]))
  expect(rows.map(([kind, name, value]) => [kind, name, /^[0-9a-f]{16}$/.test(value ?? '') ? 'digest' : value])).toEqual([
    ['config', 'goldenrun.config.mjs', 'digest'],
    ['folder', 'notes', 'digest'],
    ['golden', 'golden-traces/chair.jsonl', 'digest'],
    ['missing', 'prompts/override.md', '-'],
    ['module', 'src/agent.ts', 'digest'],
    ['module', 'src/words.ts', 'digest'],
    ['node', 'node', process.versions.node],
    ['not-compared', '.env', 'environment'],
    ['not-compared', 'prompts/people.md', 'redacted'],
    ['not-compared', 'secrets/password.txt', 'redacted'],
    ['package', 'esm-client', '2.0.0'],
    ['package', 'inner', '0.1.0'],
    ['text', 'data/routes.json', 'digest'],
    ['text', 'prompts/system.md', 'digest'],
  ])
  expect((await promote('again')).stdout).toContain('Wrote golden-traces/chat.accepted')
  expect((await run('replay', 'chair')).status).toBe(0)
})

it.each([
  ['a prompt', 'prompts/system.md', 'Be brief.', 'Be long.', 'Changed since this golden was accepted: prompts/system.md.'],
  ['data', 'data/routes.json', 'furniture', 'chairs', 'Changed since this golden was accepted: data/routes.json.'],
  ['a module', 'src/words.ts', 'Hello', 'Hi', 'Changed since this golden was accepted: src/words.ts.'],
])('names %s that has changed', async (_what, file, from, to, sentence) => {
  await promote('chair')
  await edit(file, from, to)
  const { headline } = await redReport()
  expect(headline).toBe(`Failed to replay "chair": step 1 diverged (input: body). ${sentence}`)
})

it('names a file that the agent looked for in vain and now finds, and a folder with another file', async () => {
  await promote('chair')
  await directory.write('prompts/override.md', 'Be rude, now and then.\n')
  expect((await redReport()).headline).toContain(' Changed since this golden was accepted: prompts/override.md.')
  await rm(directory.resolve('prompts/override.md'))
  await directory.write('notes/two.md', 'Another note.\n')
  expect((await redReport()).headline).toContain(' Changed since this golden was accepted: notes.')
})

it('reads no pipe that a hostile file names', async () => {
  await promote('chair')
  const file = directory.resolve('golden-traces/chat.accepted')
  const rows = await readFile(file, 'utf8')
  await directory.write('golden-traces/chat.accepted', `${rows}text\t/dev/zero\t0123456789abcdef\n`)
  await edit('src/words.ts', 'Hello', 'Hi')
  expect((await redReport()).headline).toContain('src/words.ts')
})

it('names a package that has another version, and that the code did not change', async () => {
  await promote('chair')
  await edit('node_modules/inner/package.json', '0.1.0', '0.2.0')
  await edit('node_modules/inner/index.cjs', "'inner'", "'other'")
  const { headline } = await redReport()
  expect(headline).toContain(
    "inner 0.1.0 → 0.2.0; the agent's code did not change, apart from .env, prompts/people.md, secrets/password.txt, which are not compared.",
  )
})

it('says that nothing has changed, whatever the line ends, and gives advice that ends green', async () => {
  await promote('chair')
  await edit('src/words.ts', '\n', '\r\n')
  vi.stubEnv('OWN_PID', '4711')
  try {
    const { headline, advice } = await redReport()
    expect(headline).toContain('The code, files and packages of the agent have not changed since this golden was accepted, apart from .env')
    expect(advice.map(({ words }) => words)).toEqual([
      'First check whether .env, prompts/people.md, secrets/password.txt changed: the agent reads them, and goldenrun does not compare them.',
      'goldenrun could not reproduce body.pid of step 1: it comes from something that no recording has (docs/limits.md#values-that-goldenrun-does-not-see).',
      'If it may differ, leave it out, in goldenrun.config.ts:',
      "If it has to be the same, make its source a step, external('name', fn), and record the run again.",
      'To stop there in a debugger:',
    ])
    expect(advice[2]?.command).toBe("replay: { ignore: ['body.pid'] }")
    await edit('goldenrun.config.mjs', "store: './runs'", `store: './runs', ${advice[2]?.command ?? ''}`)
    expect((await run('replay', 'chair')).status).toBe(0)
  } finally {
    vi.unstubAllEnvs()
  }
})

it('knows nothing of a golden that was changed since, or that has no such file', async () => {
  await promote('chair')
  await edit('src/words.ts', 'Hello', 'Hi')
  await edit('golden-traces/chair.jsonl', '"furniture"', '"tables"')
  expect((await redReport()).headline).toBe('Failed to replay "chair": step 1 diverged (input: body).')
  await rm(directory.resolve('golden-traces/chat.accepted'))
  expect((await redReport()).headline).toBe('Failed to replay "chair": step 1 diverged (input: body).')
})

it('keeps what was accepted while a golden of the agent does not hold', async () => {
  await promote('chair')
  const before = await readFile(directory.resolve('golden-traces/chat.accepted'), 'utf8')
  await edit('golden-traces/chair.jsonl', '"furniture"', '"tables"')
  expect((await promote('again')).stdout).toContain('What the agent "chat" is made of was not written down, because chair does not hold.\n')
  expect(await readFile(directory.resolve('golden-traces/chat.accepted'), 'utf8')).toBe(before)
})

it('says in the refusal of promote whether the agent was written after the run', async () => {
  vi.stubEnv('OWN_PID', '4711')
  try {
    const unchanged = await promote('chair')
    expect(unchanged.stderr).toContain(
      'body.pid: expected nothing, received "4711"\nNo module of the agent was written after this run was recorded, so goldenrun could not reproduce something that the run had: ' +
        "leave the place out (replay: { ignore: ['<path>'] }), or make its source a step",
    )
    await edit('src/words.ts', 'Hello', 'Hello')
    const changed = await promote('chair')
    expect(changed.stderr).toContain(
      'src/words.ts was written after this run was recorded. If the agent has changed since, promote a run of the current agent. If not, leave the place out',
    )
    await edit('goldenrun.config.mjs', "store: './runs'", "store: './runs', replay: { ignore: ['body.pid'] }")
    expect((await promote('chair')).status).toBe(0)
  } finally {
    vi.unstubAllEnvs()
  }
})
