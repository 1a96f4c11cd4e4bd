import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect, it, vi } from 'vitest'
import { supportProject } from '../support/vitest-workspace.ts'
import { createProject, setUpReplayProjects } from '../support/replay-projects.ts'

// Processes are started, one after another, and one of them computes for a minute.
vi.setConfig({ testTimeout: 180_000 })

setUpReplayProjects()

/** A project with a golden before and one behind that of an agent that ends its process. */
async function createBetween(body: string): Promise<Awaited<ReturnType<typeof createProject>>> {
  const held = (await supportProject())['golden-traces/cancel-unshipped.jsonl'] ?? ''
  const golden = (name: string, agent: string): string =>
    held.replaceAll('cancel-unshipped', name).replace('"agent":"support"', `"agent":"${agent}"`)
  const project = await createProject({
    'golden-traces/a.jsonl': golden('a', 'support'),
    'golden-traces/b.jsonl': golden('b', 'ending'),
    'golden-traces/c.jsonl': golden('c', 'support'),
    'src/ending.ts': `export async function ending(): Promise<unknown> {\n  ${body}\n}\n`,
  })
  await project.edit('goldenrun.config.ts', 'agents: {', "agents: { ending: './src/ending.ts#ending',")
  return project
}

async function replayBetween(body: string): Promise<{ status: number; counts: unknown; traces: unknown; text: string }> {
  const project = await createBetween(body)
  const { status, stdout } = await project.spawn(['replay', 'a', 'b', 'c', '--json'], { NODE_OPTIONS: '--max-old-space-size=200' })
  const { counts, traces } = JSON.parse(stdout) as { counts: unknown; traces: unknown }
  return { status, counts, traces, text: stdout }
}

const endings: Readonly<Record<string, readonly [body: string, words: string]>> = {
  'without memory': [
    'const kept = []; for (;;) kept.push(Array.from({ length: 100_000 }, Math.random))',
    'The process was ended by SIGABRT while it was replayed',
  ],
  'by a crash of native code': [
    "process.getBuiltinModule('node:v8').setFlagsFromString('--allow-natives-syntax'); return new Function('%AbortJS(\"a crash\")')()",
    'The process was ended by SIG',
  ],
  'in a loop that never ends': ['for (;;);', 'The agent did nothing but compute for 60 seconds'],
}

it('ends, whatever is loaded before it goes on with', { timeout: 60_000 }, async () => {
  const project = await createBetween('return undefined')
  const server = "import { createServer } from 'node:http'\ncreateServer().listen(0, '127.0.0.1')\n"
  await project.write('keeps-open.mjs', server)
  const { status, stdout } = await project.spawn(['replay', 'a', 'c', '--json'], {
    NODE_OPTIONS: `--import=${pathToFileURL(path.join(project.path, 'keeps-open.mjs')).href}`,
  })
  expect([status, (JSON.parse(stdout) as { counts: object }).counts]).toMatchObject([0, { held: 2 }])
})

it.each(Object.keys(endings))('judges the goldens behind one whose agent ends the process: %s', async (ending) => {
  const [body, words] = endings[ending] ?? ['', '']
  const { status, counts, traces, text } = await replayBetween(body)
  expect([status, counts]).toMatchObject([2, { held: 2, couldNotRun: 1 }])
  expect(traces).toMatchObject([
    { name: 'a', status: 'held' },
    { name: 'b', status: 'could not run' },
    { name: 'c', status: 'held' },
  ])
  expect(text).toContain(words)
})

it('is red for an agent that ends its process itself, with the goldens behind it', async () => {
  const { status, counts, traces } = await replayBetween('process.exit(0)')
  expect([status, counts]).toMatchObject([1, { held: 2, notHeld: 1 }])
  expect(traces).toMatchObject([{ name: 'a' }, { name: 'b', status: 'not held' }, { name: 'c' }])
})

it('has its own exit status, whatever a listener of an agent makes of it', async () => {
  const { status, counts } = await replayBetween("process.on('exit', () => { process.exitCode = 0 }); throw new Error('No.')")
  expect([status, counts]).toMatchObject([1, { held: 2, notHeld: 1 }])
})

it('cannot run a golden whose module ends the process while it loads, and fails where such an agent is promoted', async () => {
  const project = await createBetween('return 1')
  await project.edit('src/ending.ts', 'export', 'process.exit(0)\nexport')
  const replayed = await project.spawn(['replay', 'a', 'b', 'c'])
  expect([replayed.status, replayed.stdout]).toEqual([2, expect.stringContaining('The process ended with status 0 while it was replayed.')])
  expect(replayed.stdout).toContain('3 traces replayed: 1 could not run, 2 held.')
  const promoted = await project.spawn(['promote', 'golden-traces/b.jsonl', '--name', 'd', '--yes'])
  expect([promoted.status, promoted.stderr]).toEqual([2, expect.stringContaining('the process ended before the command did')])
})

it('keeps the status of a command that cannot run at all', async () => {
  const project = await createProject()
  expect((await project.spawn(['replay', '--no-such-option'])).status).toBe(2)
  expect((await project.spawn(['replay', 'cancel-unshipped'])).status).toBe(0)
})

it('ends with the process that replays, and starts no further one, where a signal ends the command', async () => {
  const wait = "process.stderr.write('began;'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)"
  const project = await createBetween(wait)
  const cli = path.join(project.path, '../node_modules/goldenrun/dist/cli.js')
  const command = spawn(process.execPath, [cli, 'replay', 'a', 'b', 'c'], { cwd: project.path, stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(command, 'exit')
  let told = ''
  command.stderr.on('data', (data: Buffer) => (told += data.toString()))
  while (!told.includes('began;')) await sleep(20)
  command.kill('SIGTERM')
  expect(await exited).toEqual([null, 'SIGTERM'])
  await sleep(1000)
  expect(told.split('began;')).toHaveLength(2)
})
