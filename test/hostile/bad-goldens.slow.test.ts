import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { createProject, setUpReplayProjects } from '../support/replay-projects.ts'
import type { VitestProject } from '../support/vitest-workspace.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 120_000 })

setUpReplayProjects()

type Row = Record<string, never> & {
  kind: string
  boundary?: string
  input: { url: string; method: unknown }
  status: number
  headers: unknown[]
}

/** What is changed in a golden, and what is said of it. */
const faults: readonly [name: string, change: (rows: Row[]) => void, message: string][] = [
  ['null-input', (rows) => Object.assign(modelCall(rows), { input: null }), '"input" of a call row has to be an object, got null'],
  ['bad-url', (rows) => (modelCall(rows).input.url = 'nope'), '"input.url" of a call row has to be a URL, got "nope"'],
  ['bad-method', (rows) => (modelCall(rows).input.method = {}), '"input.method" of a call row has to be text, got {}'],
  ['bad-status', (rows) => (head(rows).status = 0), '"status" of a head row has to be at least 100, got 0'],
  [
    'bad-name',
    (rows) => (head(rows).headers[0] = ['a\n', 'b']),
    '"headers[0][0]" of a head row has to be the name of a header, got "a\\n"',
  ],
  [
    'bad-value',
    (rows) => (head(rows).headers[0] = ['a', 'b\r\nc: d']),
    '"headers[0][1]" of a head row has to be the value of a header, got "b\\r\\nc: d"',
  ],
]

const modelCall = (rows: Row[]): Row => rows.find(({ boundary }) => boundary === 'model') as Row
const head = (rows: Row[]): Row => rows.find(({ kind }) => kind === 'head') as Row

/** A project with goldens that cannot be replayed beside one that holds. */
async function createBadProject(): Promise<VitestProject> {
  const project = await createProject()
  const golden = await readFile(path.join(project.path, 'golden-traces/cancel-unshipped.jsonl'), 'utf8')
  for (const [name, change] of faults) {
    const rows = golden
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)
    change(rows)
    const lines = rows
      .map((row) => JSON.stringify(row))
      .join('\n')
      .replaceAll('"name":"cancel-unshipped"', `"name":"${name}"`)
    await project.write(`golden-traces/${name}.jsonl`, `${lines}\n`)
  }
  return project
}

it('replay names file, line and field of each golden that cannot be read, and judges the others', async () => {
  const project = await createBadProject()
  const { status, stdout } = await project.goldenrun(['replay'])
  expect(status).toBe(2)
  for (const [name, , message] of faults)
    expect(stdout).toMatch(new RegExp(`golden-traces/${name}\\.jsonl:\\d+: ${message.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`))
  expect(stdout).toContain('8 traces replayed: 1 repeated, 6 could not run, 1 held.')
  const json = JSON.parse((await project.goldenrun(['replay', '--json'])).stdout) as { traces: readonly { name: string; status: string }[] }
  expect(Object.fromEntries(json.traces.map((trace) => [trace.name, trace.status]))).toEqual({
    ...Object.fromEntries(faults.map(([name]) => [name, 'could not run'])),
    'cancel-unshipped': 'held',
    'refund-twice': 'repeated',
  })
  const { stdout: markdown } = await project.goldenrun(['replay', '--markdown'])
  for (const [name] of faults) expect(markdown).toContain(`${name}.jsonl`)
})

it('check finds each of them', async () => {
  const project = await createBadProject()
  const { status, stdout } = await project.goldenrun(['check'])
  expect(status).toBe(2)
  for (const [name] of faults) expect(stdout).toMatch(new RegExp(`${name} +unreadable `))
})

it('replay goes on after an agent that ends with an error that nothing catches', async () => {
  const project = await createProject()
  const signature = 'supportAgent(input: SupportInput): Promise<SupportOutput> {'
  const crash =
    "  if (JSON.stringify(input).includes('twice')) await new Promise(() => setImmediate(() => { throw new TypeError('gone') }))"
  await project.edit('src/agent.ts', signature, `${signature}\n${crash}`)
  await project.edit('golden-traces/refund-twice.jsonl', '"input":{', '"input":{"x":"twice",')
  const { status, stdout } = await project.spawn(['replay', 'refund-twice', 'cancel-unshipped'])
  expect(stdout).toContain('Could not replay refund-twice: The replay ended with an error that nothing caught: TypeError: gone')
  expect(stdout).toContain('2 traces replayed: 1 could not run, 1 held.')
  expect(status).toBe(2)
})
