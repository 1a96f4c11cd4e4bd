import { createHash } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { listen, type LocalServer } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import type { ConfiguredAgent } from '../../src/config/agent-reference.ts'
import { createReport } from '../../src/divergence/create-report.ts'
import type { AdviceId } from '../../src/divergence/report/advice-ids.ts'
import type { Report } from '../../src/divergence/report/report.ts'
import { renewOf } from '../../src/goldens/accepted/renew-of.ts'
import { promote } from '../../src/goldens/promote.ts'
import { withNextCommands } from '../../src/goldens/with-next-commands.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { replay } from '../../src/replay/replay.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import type { ReplayOptions } from '../../src/replay/contract/replay-options.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { currentRun } from '../../src/run/current-run.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { createRandom } from '../support/random.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'
import { rows, sources, uses } from './unseen-sources.ts'

// Sixty agents whose code, files and packages stay as they are. In the replay, one door is switched off: the agent gets the machine's own value.

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const UNCHANGED = 'The code, files and packages of the agent have not changed since this golden was accepted.'

/** `npm run test:full -- advice` tries all. */
const seed = Number(process.env['GOLDENRUN_SEED'] ?? Date.now())
const tried = process.env['GOLDENRUN_ADVICE'] === 'all' ? rows : createRandom(seed).shuffle(rows).slice(0, 20)

/** What would end in the same divergence. */
const useless: readonly AdviceId[] = ['accept', 'record-again', 'promote-newer', 'declare-ambient', 'wrap-contact', 'ignore-headers']

const source = new URL('../../src/index.ts', import.meta.url).href
const off = ((globalThis as Record<symbol, unknown>)[Symbol.for('test/doors-off')] ??= {}) as Record<string, (() => unknown) | undefined>

const bitOf = (value: unknown): number => (createHash('sha256').update(String(value)).digest()[0] ?? 0) % 2

/** A package through which the agent reads all values, so that a test can switch off a door. */
const reader = `import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import { createHash } from 'node:crypto'
const sources = { ${Object.entries(sources)
  .map(([name, { code }]) => `${JSON.stringify(name)}: () => ${code}`)
  .join(',\n')} }
export const read = (name) => (globalThis[Symbol.for('test/last-read')] = (globalThis[Symbol.for('test/doors-off')]?.[name] ?? sources[name])())
export const bitOf = (value) => createHash('sha256').update(String(value)).digest()[0] % 2
`

const agentText = (url: string, take: string): string => `import { checkpoint, external, tool } from '${source}'
import net from 'node:net'
import { bitOf, read } from 'reader'
const look = tool('look', { effect: 'read' }, async (id) => ({ id }))
const post = async (path, body, headers = {}) =>
  await (await fetch('${url}' + path, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })).json()
const connect = () => new Promise((resolve, reject) => net.connect(Number(new URL('${url}').port), '127.0.0.1', resolve).once('error', reject).unref())
const uses = { ${Object.entries(uses)
  .map(([name, code]) => `${JSON.stringify(name)}: async (value, bit) => { ${code} }`)
  .join(',\n')} }
const wrapped = external('read', async (name) => read(name))
export async function agent({ source, use, turn = 0 }) {
  const value = ${take}
  return await uses[use](value, bitOf(value) ^ turn)
}
`

/** What the agent read last. */
const lastRead = (): unknown => (globalThis as Record<symbol, unknown>)[Symbol.for('test/last-read')]

let world: LocalServer
let project: TemporaryDirectory
let agent: ConfiguredAgent
let wrapped: ConfiguredAgent
/** What each recorded run read. */
const values: unknown[] = []
const home = process.cwd()

/** Records a run, as production does. */
async function record(one: ConfiguredAgent, input: object): Promise<Trace> {
  const recorder = createRecorder({ store: project.resolve('.goldenrun/runs'), thread: false })
  let id = ''
  await recorder.run({ agent: 'chat', input }, (given) => {
    id = currentRun()?.id ?? ''
    return one(given as never, undefined)
  })
  await recorder.close()
  return await readTrace(id)
}

/** The same, until the run makes no contact: a run that made one is no golden. A fact of the machine leads elsewhere by `turn`. */
async function recordWithoutContact(one: ConfiguredAgent, input: { readonly source: string; readonly use: string }): Promise<Trace> {
  for (let time = 0; ; time += 1) {
    const trace = await record(one, { ...input, turn: time % 2 })
    if (!trace.rows.some((row) => row.kind === 'note' && row.what === 'unrecorded-contact')) return trace
  }
}

beforeAll(async () => {
  world = await listen(async (incoming, response) => {
    await readBody(incoming)
    const message = { role: 'assistant', content: 'Done.' }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ path: 'done', choices: [{ index: 0, finish_reason: 'stop', message }] }))
  })
  project = await createTemporaryDirectory()
  project.enter()
  await project.write('package.json', '{ "name": "shop", "type": "module", "version": "1.0.0" }')
  await project.write(
    'node_modules/reader/package.json',
    '{ "name": "reader", "version": "1.0.0", "type": "module", "exports": "./index.js" }',
  )
  await project.write('node_modules/reader/index.js', reader)
  await project.write('data.txt', 'A text of the project.')
  await project.write('goldenrun.config.mjs', "export default { agents: { chat: './agent.mjs#agent' } }\n")
  await project.write('agent.mjs', agentText(world.url, 'read(source)'))
  await project.write('wrapped.mjs', agentText(world.url, 'await wrapped(source)'))
  const load = async (file: string): Promise<ConfiguredAgent> =>
    ((await import(pathToFileURL(project.resolve(file)).href)) as { readonly agent: ConfiguredAgent }).agent
  agent = await load('agent.mjs')
  wrapped = await load('wrapped.mjs')
  const files: string[] = []
  for (const [index, [name, use]] of tried.entries()) {
    const trace = await recordWithoutContact(agent, { source: name, use })
    values.push(lastRead())
    files.push((await promote(trace, { name: `g${index}` })).file)
  }
  expect(await renewOf(files)).toEqual(['Wrote golden-traces/chat.accepted, so that a red report can say what has changed.'])
})

afterAll(async () => {
  process.chdir(home)
  await project[Symbol.asyncDispose]()
  await world.close()
})

/** Switches off a door: the agent gets a value of this machine that leads elsewhere. */
function switchOff(name: string, value: unknown): void {
  const real = sources[name]?.real ?? (() => undefined)
  off[name] = () => {
    for (let time = 0; ; time += 1) {
      const drawn = time === 0 ? real() : typeof value === 'number' ? Number(real()) + time : `${String(real())}${time}`
      if (bitOf(drawn) !== bitOf(value)) return drawn
    }
  }
}

async function reportOn(run: ReplayedRun): Promise<Report> {
  return createReport(await withNextCommands(run, { optionsIn: 'config' }))
}

/** The options of the config after a printed line was added to it. */
function added(options: ReplayOptions, line: string): ReplayOptions {
  // oxlint-disable-next-line typescript/no-implied-eval -- the report prints code to copy
  const { replay: more } = new Function(`return { ${line} }`)() as { readonly replay: ReplayOptions }
  return { ...options, ...more, ignore: [...(options.ignore ?? []), ...(more.ignore ?? [])] }
}

/** Leaves out what the report says, until the golden holds. Each report on the way says the same. */
async function leaveOut(trace: Trace): Promise<void> {
  let options: ReplayOptions = {}
  for (let time = 0; time < 4; time += 1) {
    const run = await replay(trace, agent, options)
    if (run.divergences.length === 0) return
    const { advice, headline } = await reportOn(run)
    expect(headline).toContain(UNCHANGED)
    options = added(options, advice.find(({ id }) => id === 'leave-out')?.command ?? '')
  }
  expect((await replay(trace, agent, options)).divergences).toEqual([])
}

/** Makes the source a step and records the run again, with all doors on, and replays it with the door off. */
async function makeStep(name: string, use: string): Promise<void> {
  off[name] = undefined
  const trace = await recordWithoutContact(wrapped, { source: name, use })
  switchOff(name, lastRead())
  expect((await replay(trace, wrapped)).divergences).toEqual([])
}

it.each(tried.map(([name, use], index) => [`${name}, in ${use}`, index] as const))(
  `says that nothing has changed (GOLDENRUN_SEED=${seed}): %s`,
  async (_, index) => {
    const [name = '', use = ''] = tried[index] ?? []
    const trace = await readTrace(`g${index}`)
    switchOff(name, values[index])
    try {
      const report = await reportOn(await replay(trace, agent))
      expect(report.headline).toContain(UNCHANGED)
      const ids = report.advice.map(({ id }) => id)
      expect(ids.filter((id) => useless.includes(id))).toEqual([])
      const steps = ids.filter((id) => id === 'source-as-step' || id === 'decision-as-step')
      expect(steps).toHaveLength(1)
      await makeStep(name, use)
      switchOff(name, values[index])
      if (ids.includes('leave-out')) await leaveOut(trace)
      const allowed = report.advice.find(({ id }) => id === 'allow-model')?.command ?? ''
      expect(allowed === '' ? [] : (await replay(trace, agent, added({}, allowed))).divergences).toEqual([])
    } finally {
      off[name] = undefined
    }
  },
)
