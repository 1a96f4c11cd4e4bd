import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { withoutNetwork } from '../../../src/cli/without-network.ts'
import { type CommandResult, runNode } from '../../support/run-command.ts'
import { createVitestWorkspace, type VitestProject, type VitestWorkspace } from '../../support/vitest-workspace.ts'

// Agents whose contacts are made by native code: BAML's HTTP client is written in Rust, and node-pty forks by itself. The world counts requests and
// lines that commands have left. What is expected was written before the first run.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const isLinux = process.platform === 'linux'
const hasNamespaces = withoutNetwork(['true']) !== undefined
const installed = (name: string): string => new URL(`../../../node_modules/${name}`, import.meta.url).href

const shellAgent = `export async function agent(place: string): Promise<string> {
  const shell = pty.spawn('sh', ['-c', \`echo \${place} >> \${process.env.LEFT}; echo done\`], {})
  let output = ''
  shell.onData((data) => (output += data))
  await new Promise((resolve) => shell.onExit(resolve))
  return output.trim()
}
`

let workspace: VitestWorkspace
let project: VitestProject
let server: Server
let asked = 0

beforeAll(async () => {
  workspace = await createVitestWorkspace()
  server = createServer((request, response) => {
    asked += 1
    request.resume()
    // Long enough for a recording's thread to start, and to look twice.
    setTimeout(() => {
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({
          id: 'x',
          object: 'chat.completion',
          created: 1,
          model: 'gpt-5',
          choices: [{ index: 0, message: { role: 'assistant', content: 'sunny' }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
        }),
      )
    }, 1_000)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const agents = { baml: './src/baml.ts#agent', shell: './src/shell.ts#agent', 'lazy-shell': './src/lazy-shell.ts#agent' }
  project = await workspace.project({
    'goldenrun.config.ts': `export default { agents: ${JSON.stringify(agents)} }\n`,
    'vitest.config.ts':
      "import { defineConfig } from 'vitest/config'\nimport { goldenrun } from 'goldenrun/vitest/plugin'\nexport default defineConfig({ plugins: [goldenrun()] })\n",
    'src/baml.ts': `import { createRequire } from 'node:module'
const { BamlRuntime } = createRequire(import.meta.url)(${JSON.stringify(new URL(installed('@boundaryml/baml/native.js')).pathname)})
const source = \`client<llm> Model {
  provider openai-generic
  options {
    base_url "http://127.0.0.1:${port}/v1"
    model "gpt-5"
    api_key "sk-x"
  }
}
function Weather(place: string) -> string {
  client Model
  prompt #"How is the weather in {{ place }}?"#
}
\`
const runtime = BamlRuntime.fromFiles('baml_src', { 'baml_src/a.baml': source }, {})
export async function agent(place: string): Promise<string> {
  const result = await runtime.callFunction('Weather', { place }, runtime.createContextManager(), null, null, [], {}, {})
  return result.parsed(false)
}
`,
    'src/shell.ts': `import pty from ${JSON.stringify(installed('@lydell/node-pty/index.js'))}
${shellAgent}`,
    // The addon is not there before the run.
    'src/lazy-shell.ts': shellAgent.replace(
      '{\n',
      `{\n  const pty = (await import(${JSON.stringify(installed('@lydell/node-pty/index.js'))})).default\n`,
    ),
    'record.mjs': `import { createRecorder } from 'goldenrun'
import { createJiti } from ${JSON.stringify(installed('jiti/lib/jiti.mjs'))}
const [, , name] = process.argv
const { agent } = await createJiti(import.meta.url).import('./src/' + name + '.ts')
const recorder = createRecorder()
await recorder.run({ agent: name, input: 'Bern' }, agent)
await recorder.close()
process.exit(0)
`,
    'read.mjs': `import { listTraces, readTrace } from 'goldenrun/replay'
const [latest] = await listTraces({ store: '.goldenrun/runs' }).then((all) => all.filter(({ agent }) => agent === process.argv[2]))
const { rows } = await readTrace(latest.id, { store: '.goldenrun/runs' })
console.log(JSON.stringify(rows.filter(({ kind }) => kind === 'note').map(({ what, where }) => [what, where])))
`,
    'replay.mjs': `import { replay } from 'goldenrun/replay'
import { createJiti } from ${JSON.stringify(installed('jiti/lib/jiti.mjs'))}
const [, , name] = process.argv
const { agent } = await createJiti(import.meta.url).import('./src/' + name + '.ts')
const { divergences } = await replay(name, agent)
console.log(JSON.stringify(divergences.map(({ cause, name }) => [cause, name])))
process.exit(0)
`,
  })
})

beforeEach(() => {
  asked = 0
})

afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await workspace[Symbol.asyncDispose]()
})

const environment = (): Record<string, string> => ({ LEFT: path.join(project.path, 'left.txt') })

async function command(...args: string[]): Promise<CommandResult> {
  const cli = path.join(project.path, '../node_modules/goldenrun/dist/cli.js')
  const env = { ...process.env, ...environment() }
  const child = spawn(process.execPath, [cli, ...args], { cwd: project.path, stdio: ['ignore', 'pipe', 'pipe'], env })
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)]
  const [status] = (await once(child, 'close')) as [number]
  return { status, stdout: await stdout, stderr: await stderr }
}

const run = (...args: string[]): Promise<CommandResult> => runNode(project.path, args, environment())
/** Without a network, nobody asks again. */
const untouched: unknown = hasNamespaces ? 1 : expect.any(Number)
/** The last line: BAML writes a log. */
const lastOf = ({ stdout }: CommandResult): unknown => JSON.parse(stdout.trim().split('\n').at(-1) ?? '')

it.runIf(isLinux)("notes BAML's native code and its connection, refuses to promote it, and finds it in every replay", async () => {
  const recorded = await run('record.mjs', 'baml')
  expect([recorded.status, asked], recorded.stderr).toEqual([0, 1])
  const { port } = server.address() as AddressInfo
  expect(lastOf(await run('read.mjs', 'baml'))).toEqual([
    ['native-addon', expect.stringMatching(/^@boundaryml\/baml \(node_modules\/@boundaryml\/baml-linux-.*\.node\)$/)],
    ['native-contact', `@boundaryml/baml (127.0.0.1:${port})`],
  ])
  const refused = await command('promote', 'latest', '--name', 'baml', '--yes')
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('native @boundaryml/baml')])
  expect(asked).toEqual(untouched)
  const forced = await command('promote', 'latest', '--name', 'baml', '--yes', '--no-replay')
  expect([forced.status, forced.stdout + forced.stderr]).toEqual([0, expect.stringMatching(/native +@boundaryml\/baml \(node_modules/)])
  const replayed = await command('replay', 'baml')
  expect([replayed.status, replayed.stdout]).toEqual([1, expect.stringContaining('native @boundaryml/baml')])
  expect(asked).toEqual(untouched)
  const networked = await command('replay', 'baml', '--network')
  expect([networked.status, networked.stdout]).toEqual([1, expect.stringContaining(`native @boundaryml/baml (127.0.0.1:${port})`)])
  expect(lastOf(await run('replay.mjs', 'baml'))).toEqual([['unrecorded-contact', `native @boundaryml/baml (127.0.0.1:${port})`]])
  const { status, output } = await project.vitest(['golden-traces/baml.jsonl'])
  expect([status, output]).toEqual([1, expect.stringContaining('Native code reached the outside world during the replay.')])
  expect(output).toContain('Not without a network, which native code could use: @boundaryml/baml.')
  // An answer that the config allows is real.
  await project.edit('goldenrun.config.ts', 'agents:', `live: ['127.0.0.1:${port}'], agents:`)
  const allowed = await command('replay', 'baml')
  await project.edit('goldenrun.config.ts', `live: ['127.0.0.1:${port}'], `, '')
  expect([allowed.status, allowed.stdout]).toEqual([0, expect.stringMatching(/1 trace replayed: 1 held\.\n$/)])
})

it.runIf(isLinux).each(['shell', 'lazy-shell'])('finds a shell of node-pty that ends before anybody can look: %s', async (name) => {
  await project.write('left.txt', '')
  const recorded = await run('record.mjs', name)
  expect([recorded.status, await project.read('left.txt')], recorded.stderr).toEqual([0, 'Bern\n'])
  expect(lastOf(await run('read.mjs', name))).toContainEqual([
    'native-addon',
    expect.stringMatching(/^@lydell\/node-pty \(node_modules\/.*\.node\)$/),
  ])
  const refused = await command('promote', 'latest', '--name', name, '--yes')
  expect([refused.status, refused.stderr]).toEqual([2, expect.stringContaining('native @lydell/node-pty')])
  expect((await command('promote', 'latest', '--name', name, '--yes', '--no-replay')).status).toBe(0)
  for (let replay = 0; replay < 3; replay += 1) {
    const replayed = await command('replay', name)
    expect([replayed.status, replayed.stdout]).toEqual([1, expect.stringContaining('native @lydell/node-pty')])
    expect(lastOf(await run('replay.mjs', name))).toEqual([
      ['unrecorded-contact', expect.stringMatching(/^native @lydell\/node-pty(?: \(.+\))?$/)],
    ])
  }
  const { status, output } = await project.vitest([`golden-traces/${name}.jsonl`])
  expect([status, output]).toEqual([1, expect.stringContaining('Native code reached the outside world during the replay.')])
})
