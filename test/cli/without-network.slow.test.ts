import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { withoutNetwork } from '../../src/cli/without-network.ts'
import { type CommandResult, runNode } from '../support/run-command.ts'
import { createVitestWorkspace, type VitestProject, type VitestWorkspace } from '../support/vitest-workspace.ts'

// A client that reaches the system below Node's own modules, as native addons do. The world counts its connections.

vi.setConfig({ testTimeout: 60_000 })

let workspace: VitestWorkspace
let project: VitestProject
let server: Server
let connections = 0

beforeAll(async () => {
  workspace = await createVitestWorkspace()
  server = createServer((socket) => {
    connections += 1
    socket.on('error', () => undefined)
    socket.end('charged\n')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  project = await workspace.project({
    'goldenrun.config.ts': `export default { agents: { shop: './src/agent.ts#agent', local: './src/local.ts#agent' } }\n`,
    'src/agent.ts': `import { tool } from 'goldenrun'
const price = tool('price', { effect: 'read' }, async () => 7)

/** Opens a connection by libuv itself. */
function charge(): Promise<string> {
  const { TCP, TCPConnectWrap, constants } = process.binding('tcp_wrap')
  const handle = new TCP(constants.SOCKET)
  const request = new TCPConnectWrap()
  return new Promise((resolve) => {
    request.oncomplete = (status) => (handle.close(), resolve(status === 0 ? 'charged' : 'failed'))
    if (handle.connect(request, '127.0.0.1', ${port}) !== 0) resolve('failed')
  })
}

export async function agent(): Promise<string> {
  await price()
  return await charge()
}
`,
    'src/local.ts': "export async function agent(): Promise<string> {\n  return 'fine'\n}\n",
    'record.mjs': `import { createRecorder } from 'goldenrun'
import { createJiti } from ${JSON.stringify(new URL('../../node_modules/jiti/lib/jiti.mjs', import.meta.url).href)}
const [, , name, file] = process.argv
const { agent } = await createJiti(import.meta.url).import(file)
const recorder = createRecorder()
await recorder.run({ agent: name, input: undefined }, agent)
await recorder.close()
`,
  })
})

beforeEach(() => {
  connections = 0
})

afterAll(async () => {
  server.close()
  await workspace[Symbol.asyncDispose]()
})

/** Runs the built command, and returns what it prints as it is. */
async function command(...args: string[]): Promise<CommandResult> {
  const cli = path.join(project.path, '../node_modules/goldenrun/dist/cli.js')
  const child = spawn(process.execPath, [cli, ...args], { cwd: project.path, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)]
  const [status] = (await once(child, 'close')) as [number]
  return { status, stdout: await stdout, stderr: await stderr }
}

const isPossible = withoutNetwork(['true']) !== undefined

it.runIf(isPossible)('gives a native client no network in a trial and in a replay', async () => {
  const recorded = await runNode(project.path, ['record.mjs', 'shop', './src/agent.ts'])
  expect([recorded.status, connections], recorded.stderr).toEqual([0, 1])
  const refused = await command('promote', 'latest', '--name', 'shop', '--yes')
  expect([refused.status, refused.stderr, connections]).toEqual([
    2,
    expect.stringContaining('outcome at output: expected "charged", received "failed"'),
    1,
  ])
  const forced = await command('promote', 'latest', '--name', 'shop', '--yes', '--no-replay')
  expect(forced.status).toBe(0)
  const replayed = await command('replay', 'shop')
  expect([replayed.status, replayed.stdout, connections]).toEqual([
    1,
    expect.stringMatching(/ 1 not held\. Without a network \(--network gives one\)\.\n$/),
    1,
  ])
  const json = await command('replay', 'shop', '--json')
  expect(JSON.parse(json.stdout)).toMatchObject({ network: 'none' })
  const reaching = await command('replay', 'shop', '--network')
  expect([reaching.status, reaching.stdout, connections]).toEqual([0, '1 trace replayed: 1 held.\n', 2])
})

it.runIf(isPossible)('lets a replay have a network where the config has live hosts or a context, with one start more', async () => {
  await runNode(project.path, ['record.mjs', 'local', './src/local.ts'])
  expect((await command('promote', 'latest', '--name', 'local', '--yes')).status).toBe(0)
  expect((await command('replay', 'local')).stdout).toBe('1 trace replayed: 1 held. Without a network.\n')
  await project.edit('goldenrun.config.ts', 'agents:', "live: ['localhost:5432'], agents:")
  expect((await command('replay', 'local')).stdout).toBe('1 trace replayed: 1 held.\n')
  await project.edit('goldenrun.config.ts', "live: ['localhost:5432'], ", '')
  await project.edit('goldenrun.config.ts', "'./src/local.ts#agent'", "{ module: './src/local.ts#agent', context: () => ({}) }")
  expect((await command('replay', 'local')).stdout).toBe('1 trace replayed: 1 held.\n')
})
