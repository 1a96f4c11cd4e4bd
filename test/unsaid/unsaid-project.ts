import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { cp, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildPackage, linkPackages } from '../support/build-package.ts'
import { runProgram } from './run-program.ts'
import { createVitestWorkspace, type VitestProject } from '../support/vitest-workspace.ts'

/** What asks for the verdict of a golden. */
export type Asker = Runner | 'vitest 4'

export type Runner = 'vitest' | 'jest' | 'command'

/** What came of it. */
export interface Asked {
  /** Null if it did not end by itself. */
  readonly status: number | null
  readonly output: string
  /** What reached the world. */
  readonly touched: readonly string[]
}

/** A project with a golden of an agent, and the world around it. */
export interface UnsaidProject extends AsyncDisposable, Pick<VitestProject, 'path' | 'write' | 'read'> {
  /** Writes the agent with code at these places, or with another prompt. */
  writeAgent(agent?: AgentParts): Promise<void>
  /** Runs a test runner or the command. Default: of the golden. */
  ask(asker: Asker, args?: readonly string[]): Promise<Asked>
}

interface AgentParts {
  readonly imports?: Readonly<Record<string, string>>
  readonly load?: string
  readonly start?: string
  readonly end?: string
  readonly prompt?: string
}

const repository = fileURLToPath(new URL('../../', import.meta.url))

/** The time after which the replay of a golden's file is ended, in milliseconds, so that what never ends does soon. */
const LIMIT = 10_000

export const configs: Readonly<Record<string, string>> = {
  'goldenrun.config.mjs': `export default {
  assertReplays: true,
  agents: { greet: process.env.JEST_WORKER_ID === undefined ? './src/agent.mjs#greet' : './src/agent.cjs#greet' },
}
`,
  'vitest.config.mjs': `import { goldenrun } from 'goldenrun/vitest/plugin'
export default { plugins: [goldenrun({ timeout: ${LIMIT} })] }
`,
  'jest.config.cjs': `const { withGoldens } = require('goldenrun/jest/config')
const goldens = ['goldenrun/jest/transform', { timeout: ${LIMIT} }]
module.exports = withGoldens({ transform: { '/golden-traces/.*': goldens } })
`,
}

/** Records the golden `greets` in a new project. @param options.withVitest4 Whether Vitest 4 can be asked, too: npm installs it. Default: false. */
export async function createUnsaidProject({ withVitest4 = false }: { readonly withVitest4?: boolean } = {}): Promise<UnsaidProject> {
  const world = await startWorld()
  const workspace = await createVitestWorkspace()
  const project = await workspace.project({ 'package.json': '{ "name": "unsaid", "private": true }\n', ...configs })
  const modules = path.join(project.path, '../node_modules')
  await linkPackages(modules, ['jest', '@jest/globals'])
  const cli = path.join(modules, 'goldenrun/dist/cli.js')
  const vitest4 = withVitest4 ? await installVitest4() : undefined
  const commands: Readonly<Record<Asker, readonly string[]>> = {
    vitest: [path.join(repository, 'node_modules/vitest/vitest.mjs'), 'run'],
    'vitest 4': [path.join(vitest4 ?? '', 'node_modules/vitest/vitest.mjs'), 'run'],
    jest: [path.join(repository, 'node_modules/jest/bin/jest.js'), '--runInBand'],
    command: [cli, 'replay'],
  }
  const writeAgent = async (parts: AgentParts = {}): Promise<void> => {
    const own = { url: world.url, port: world.port, udp: world.udp, file: path.join(project.path, 'touched.txt') }
    await project.write('src/agent.mjs', agentCode(own, parts, 'mjs'))
    await project.write('src/agent.cjs', agentCode(own, parts, 'cjs'))
  }
  const copyTo = async (folder: string): Promise<string> => {
    await rm(folder, { recursive: true, force: true })
    await cp(project.path, folder, { recursive: true })
    return folder
  }
  await writeAgent()
  await project.write('record.mjs', RECORD)
  for (const args of [['record.mjs'], [cli, 'promote', 'latest', '--name', 'greets', '--yes']]) {
    const { status, output } = await runProgram(project.path, args, 120_000)
    if (status !== 0) throw new Error(output)
  }
  return {
    ...project,
    writeAgent,
    async ask(asker, args = asker === 'command' ? ['greets'] : ['golden-traces/greets.jsonl']) {
      const file = path.join(project.path, 'touched.txt')
      rmSync(file, { force: true })
      world.reached.splice(0)
      const folder = asker === 'vitest 4' ? await copyTo(path.join(vitest4 ?? '', 'project')) : project.path
      const { status, output } = await runProgram(folder, [...commands[asker], ...args], 150_000)
      return { status, output, touched: [...world.reached, ...(existsSync(file) ? ['file'] : [])] }
    },
    async [Symbol.asyncDispose]() {
      world.close()
      await workspace[Symbol.asyncDispose]()
      if (vitest4 !== undefined) await rm(vitest4, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** A folder with the built package and Vitest 4. */
async function installVitest4(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'goldenrun-vitest-4-')))
  await writeFile(path.join(folder, 'package.json'), '{ "private": true, "devDependencies": { "vitest": "~4.1.0" } }\n')
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund'], { cwd: folder })
  await cp(await buildPackage(), path.join(folder, 'node_modules/goldenrun'), { recursive: true })
  return folder
}

const RECORD = `import { createRecorder } from 'goldenrun'
import { greet } from './src/agent.mjs'
const recorder = createRecorder({ store: '.goldenrun/runs' })
await recorder.run({ agent: 'greet', input: { name: 'Ada' } }, greet)
await recorder.close()
`

function agentCode(
  world: object,
  { imports = {}, load = '', start = '', end = '', prompt = 'Greet kindly.' }: AgentParts,
  kind: 'mjs' | 'cjs',
): string {
  const names = Object.entries(imports).map(([module, name]) =>
    kind === 'mjs' ? `import { ${name} } from '${module}'` : `const { ${name} } = require('${module}')`,
  )
  return `${names.join('\n')}
const world = ${JSON.stringify(world)}
${load}
${kind === 'mjs' ? 'export ' : ''}async function greet({ name }) {
  ${start}
  const messages = [{ role: 'system', content: ${JSON.stringify(prompt)} }, { role: 'user', content: name }]
  const response = await fetch(world.url + '/v1/chat/completions', { method: 'POST', body: JSON.stringify({ model: 'm', messages }) })
  const { choices } = await response.json()
  ${end}
  return choices[0].message.content
}
${kind === 'cjs' ? 'exports.greet = greet' : ''}
`
}

async function startWorld(): Promise<{ url: string; port: number; udp: number; reached: string[]; close(): void }> {
  const reached: string[] = []
  const server = http.createServer((request, response) => {
    reached.push(`${request.method} ${request.url}`)
    response.end(
      JSON.stringify({ model: 'm', choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello Ada' } }] }),
    )
  })
  const raw = net.createServer((socket) => void (reached.push('tcp'), socket.on('error', () => undefined).end()))
  const datagrams = createSocket('udp4', () => reached.push('udp'))
  server.listen(0, '127.0.0.1')
  raw.listen(0, '127.0.0.1')
  datagrams.bind(0, '127.0.0.1')
  await Promise.all([once(server, 'listening'), once(raw, 'listening'), once(datagrams, 'listening')])
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    port: (raw.address() as AddressInfo).port,
    udp: datagrams.address().port,
    reached,
    close() {
      server.close()
      server.closeAllConnections()
      raw.close()
      datagrams.close()
    },
  }
}
