import { readFile } from 'node:fs/promises'
import { beforeAll, expect, it, vi } from 'vitest'
import { withFreshLines } from '../../src/goldens/fresh/with-fresh-lines.ts'
import { promote } from '../../src/goldens/promote.ts'
import { replay } from '../../src/replay/replay.ts'
import type { ReplayOptions } from '../../src/replay/contract/replay-options.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { lineOf } from '../support/call-sites.ts'
import { clients } from '../replay/call-sites/clients.ts'
import { recordRun } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

// Processes are started.
vi.setConfig({ testTimeout: 60_000 })

const clientsFile = new URL('../replay/call-sites/clients.ts', import.meta.url).pathname
const directory = await createTemporaryDirectory()
const golden = directory.resolve('golden-traces/nothing.jsonl')

/** The agent of the config, which behaves as this test says. */
const calls = async (): Promise<unknown> => await clients['anthropic']?.()

beforeAll(async () => {
  const { trace } = await recordRun(async () => 'done')
  await promote(trace, { name: 'nothing', directory: directory.resolve('golden-traces') })
})

/** The line that is named of an agent's call, if the agent of the config has this code. */
async function lineWith(options: ReplayOptions, code: string): Promise<ReplayedRun> {
  await directory.write('golden-traces/goldenrun.config.mjs', "export default { agents: { agent: './agent.ts#agent' } }\n")
  await directory.write('golden-traces/agent.ts', `import { clients } from ${JSON.stringify(clientsFile)}\n${code}\n`)
  const trace = await readTrace(golden)
  const text = await readFile(golden, 'utf8')
  const given = { name: 'nothing', file: golden, text, origin: golden, directory: directory.resolve('golden-traces') }
  return await withFreshLines(await replay(trace, calls, options), options, { trace: given })
}

const same = "export const agent = async () => await clients['anthropic']()"

it("finds the agent's line in another process", async () => {
  const run = await lineWith({}, same)
  expect(run.divergences[0]?.site).toMatchObject({ file: 'test/replay/call-sites/clients.ts', line: lineOf('anthropic') })
  expect(run).not.toHaveProperty('otherReplay')
})

it('changes nothing in the verdict of an agent that does something else there, and says so', async () => {
  const [plain] = (await replay(await readTrace(golden), calls)).divergences
  const threw = await lineWith({}, "export const agent = async () => { throw new Error('another') }")
  expect(threw.divergences).toHaveLength(1)
  expect(threw.divergences[0]).toEqual(plain)
  expect(threw).toMatchObject({ otherReplay: { divergence: { cause: 'outcome' } } })
  const held = await lineWith({}, "export const agent = async () => 'done'")
  expect(held.divergences).toEqual([plain])
  expect(Reflect.get(held, 'otherReplay')).toEqual({})
})

const notAgain: readonly (readonly [what: string, options: ReplayOptions])[] = [
  ['a host is live', { live: ['shop.invalid'] }],
  ['tools run', { tools: 'run' }],
  ['a tool runs', { tools: { look: 'run' } }],
  ['one of two tools runs', { tools: { pack: 'stub', look: 'run' } }],
  ['a function runs in the place of a tool', { tools: { look: () => 'packed' } }],
  ['an answer is a function', { answers: { look: () => 'packed' } }],
]

it.each(notAgain)('runs the agent nowhere else where %s', async (_, options) => {
  const run = await lineWith(options, "export const agent = async () => 'done'")
  expect(run).not.toHaveProperty('otherReplay')
})
