import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { promote } from '../../src/goldens/promote.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { listTraces } from '../../src/replay/traces/list-traces.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { type CommandResult, runCommand } from '../support/run-command.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 120_000 })

let server: Server

beforeAll(async () => {
  server = createServer((request, response) => request.resume().on('end', () => response.end('{"reply":"ok"}')))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(() => void server.close())

/** Calls through a queue of the project's packages, which hides the agent's line from V8. */
const queue = `export const ask = (url, body) => new Promise((resolve, reject) => {
  const send = () => fetch(url, { method: 'POST', body: JSON.stringify(body) }).then((response) => response.json())
  void Promise.resolve().then(() => send().then(resolve, reject))
})
`

interface Project extends AsyncDisposable {
  /** Replaces a text of the agent's file, and runs a command. */
  changed(from: string, to: string, ...args: string[]): Promise<CommandResult>
  run(...args: string[]): Promise<CommandResult>
  readonly runs: readonly string[]
  readonly directory: TemporaryDirectory
}

/** A project whose agent has this code, with a recording of each input, and these goldens of them. */
async function createProject(
  code: string,
  inputs: readonly object[],
  goldens: readonly { name: string; follows?: string }[],
): Promise<Project> {
  const directory = await createTemporaryDirectory()
  const { port } = server.address() as AddressInfo
  const source = `import { ask } from 'queue'\nconst url = 'http://127.0.0.1:${port}'\n${code}`
  await directory.write('node_modules/queue/package.json', '{ "name": "queue", "type": "module", "exports": "./index.mjs" }')
  await directory.write('node_modules/queue/index.mjs', queue)
  await directory.write('goldenrun.config.mjs', "export default { store: './runs', agents: { chat: './agent.mjs#agent' } }\n")
  const file = await directory.write('agent.mjs', source)
  const { agent } = (await import(pathToFileURL(file).href)) as { agent: (input: object) => unknown }
  const recorder = createRecorder({ store: directory.resolve('runs') })
  for (const input of inputs) await recorder.run({ agent: 'chat', input }, agent)
  await recorder.close()
  const store = directory.resolve('runs')
  const runs = (await listTraces({ store })).map(({ id }) => id).toSorted()
  for (const [index, golden] of goldens.entries())
    await promote(await readTrace(runs[index] ?? '', { store }), { ...golden, directory: directory.resolve('golden-traces') })
  const run = (...args: string[]): Promise<CommandResult> => runCommand(directory.path, args)
  return {
    directory,
    runs,
    run,
    async changed(from, to, ...args) {
      expect(source).toContain(from)
      await directory.write('agent.mjs', source.replace(from, to))
      await directory.write('goldenrun.config.mjs', "export default { store: './runs', agents: { chat: './changed.mjs#agent' } }\n")
      await directory.write('changed.mjs', source.replace(from, to))
      return await run(...args)
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

const remembers = `const memory = new Map()
export async function agent({ thread, text }) {
  const history = memory.get(thread) ?? []
  const { reply } = await ask(url, { messages: [...history, text] }) // the line
  memory.set(thread, [...history, text, reply])
  return { reply }
}
`

const found = ({ stdout }: CommandResult): unknown => {
  const { traces, reports } = JSON.parse(stdout) as {
    traces: object[]
    reports: { headline: string; divergence: { site: object }; notes: string[] }[]
  }
  return { traces, reports: reports.map(({ headline, divergence, notes }) => ({ headline, site: divergence.site, notes })) }
}

const conversation = [
  { thread: 't', text: 'one' },
  { thread: 't', text: 'two' },
]

it('tells a change that shows in the second run of a conversation as the fault of the second run', async () => {
  await using project = await createProject(remembers, conversation, [{ name: 'talk/1' }, { name: 'talk/2', follows: 'talk/1' }])
  const result = await project.changed('[...history, text, reply])', '[...history, text, reply].slice(-1))', 'replay', 'talk', '--json')
  expect(result.status).toBe(1)
  expect(found(result)).toEqual({
    traces: [
      { name: 'talk/1', file: 'golden-traces/talk/1.jsonl', status: 'held' },
      { name: 'talk/2', file: 'golden-traces/talk/2.jsonl', status: 'not held' },
    ],
    reports: [
      {
        headline: 'Failed to replay "talk/2": step 1 diverged (input: body).',
        site: { file: 'changed.mjs', line: 6, column: expect.any(Number) },
        notes: [],
      },
    ],
  })
})

it('holds each golden of one agent that holds alone, and says that the process kept something', async () => {
  await using project = await createProject(
    remembers,
    [
      { thread: 'a', text: 'one' },
      { thread: 'b', text: 'two' },
    ],
    [{ name: 'first' }, { name: 'second' }],
  )
  const other = 'const history = [...memory.values()].flat()'
  const result = await project.changed('const history = memory.get(thread) ?? []', other, 'replay', '--json')
  expect(found(result)).toEqual({
    traces: [
      { name: 'first', file: 'golden-traces/first.jsonl', status: 'held' },
      {
        name: 'second',
        file: 'golden-traces/second.jsonl',
        status: 'held',
        note:
          'Note: in a process that had replayed other runs before, step 1 diverged (input: body). That is state of the process: something that ' +
          "the agent's modules keep from one run to the next. This verdict is that of a fresh process.",
      },
    ],
    reports: [],
  })
  expect(result.status).toBe(0)
})

it('tells a change of two goldens as it tells each alone', async () => {
  await using project = await createProject(
    remembers,
    [
      { thread: 'a', text: 'one' },
      { thread: 'b', text: 'two' },
    ],
    [{ name: 'first' }, { name: 'second' }],
  )
  const both = found(await project.changed('[...history, text] }', "[...history, text, 'please'] }", 'replay', '--json'))
  const alone = [found(await project.run('replay', 'first', '--json')), found(await project.run('replay', 'second', '--json'))]
  expect(both).toMatchObject({ reports: [{ site: { file: 'changed.mjs', line: 6 }, notes: [] }] })
  expect(both).toMatchObject({ traces: alone.flatMap((each) => (each as { traces: object[] }).traces) })
})

it('reports the first replay of an agent with a memory: two calls that are no longer made one after the other', async () => {
  const twoCalls = remembers.replace('  const history', "  await ask(url, 'a'); await ask(url, 'b')\n  const history")
  await using project = await createProject(twoCalls, [conversation[0] ?? {}], [{ name: 'one' }])
  const parallel = "await Promise.all([ask(url, 'a'), ask(url, 'b')])"
  const { stdout } = await project.changed("await ask(url, 'a'); await ask(url, 'b')", parallel, 'replay')
  expect(stdout).toContain('Failed to replay "one": step 2 diverged (order).')
  expect(stdout).toContain('    at        changed.mjs:5:')
  expect(stdout).not.toContain('another replay')
})

it('promotes an incident with proof that a cache of a module causes', async () => {
  const caches = `const cache = new Map()
export async function agent({ id }) {
  if (!cache.has('customer')) cache.set('customer', await ask(url + '/customers', { id }).then(() => id))
  await ask(url + '/letters', { to: cache.get('customer') })
}
`
  await using project = await createProject(caches, [{ id: 'c1' }, { id: 'c2' }], [])
  const check = 'toHaveCalledToolTimes("send_letter", 1)'
  const incident = ['--incident', '1', '--trigger', 'input', '--check', check]
  const { status, stdout } = await project.run('promote', ...project.runs, '--name', 'letters', '--yes', ...incident)
  expect(stdout).toContain('  verified    the agent of goldenrun.config.ts reproduces it\n')
  expect(status).toBe(0)
})
