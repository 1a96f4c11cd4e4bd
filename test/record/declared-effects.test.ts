import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { wholeRunMatchers } from '../../src/matchers/whole-run-matchers.ts'
import { holdsSubset } from '../../src/matchers/subset.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { replay } from '../../src/replay/replay.ts'
import { tool } from '../../src/run/tool.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import type { RequestEffects } from '../../src/trace/boundary.ts'
import { recordRun, rowsOf } from '../support/record-run.ts'
import { runCommand } from '../support/run-command.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const world = await listen(async (request, response) => {
  request.resume()
  response.writeHead(200).end('{}')
})
afterAll(() => world.close())
const { host } = new URL(world.url)

const ask = async (method: string, path: string): Promise<void> => {
  await (await fetch(`${world.url}${path}`, { method })).text()
}

/** Looks up and charges twice each. Neither request's method says what it does. */
async function agent(): Promise<void> {
  for (let time = 0; time < 2; time += 1) {
    await ask('POST', '/tickets/find')
    await ask('GET', '/charge')
  }
}

const effects: RequestEffects = { [`POST ${host}/tickets/*`]: 'read', [`GET ${host}/charge`]: 'write' }
const context = { isNot: false, color: false, width: 100, matches: holdsSubset, difference: () => [] }

it('records and replays declared effects', async () => {
  const { trace, stats } = await recordRun(agent, { recorder: { effects } })
  expect(trace.header.effects).toEqual(effects)
  expect(rowsOf(trace, 'note').map(({ where }) => where)).toEqual([`GET ${host}/charge: step 4 repeats step 2`])
  expect(stats.flagged).toBe(1)
  const run = await replay(trace, agent)
  expect(run.divergences).toEqual([])
  expect(run.sideEffects.map(({ step, inferred }) => [step, inferred])).toEqual([
    [2, undefined],
    [4, undefined],
  ])
  expect(wholeRunMatchers.toHaveNoRepeatedSideEffects(context, run).message()).toBe(
    `Expected "${trace.header.id}" to make each side effect once.\n    step 4 repeats step 2: GET ${world.url}/charge`,
  )
})

it('replays the effects that the trace lists, and infers those of a trace that lists none', async () => {
  const { trace } = await recordRun(agent)
  expect(trace.header).not.toHaveProperty('effects')
  expect((await replay(trace, agent)).sideEffects.map(({ step, inferred }) => [step, inferred])).toEqual([
    [1, true],
    [3, true],
  ])
})

it('prefers the effect of the tool that makes a request', async () => {
  const charge = tool('charge', { effect: 'read' }, () => ask('GET', '/charge'))
  const { trace, stats } = await recordRun(async () => [await charge(), await charge()], { recorder: { effects } })
  expect([rowsOf(trace, 'note'), stats.flagged]).toEqual([[], 0])
})

it('lists, shows and finds declared effects', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const recorder = createRecorder({ store: 'runs', effects })
  await recorder.run({ agent: 'desk', input: {} }, agent)
  await recorder.close()
  const { stdout } = await runCommand(project.path, ['show', 'latest', '--store', 'runs'])
  expect(stdout.match(/http( write\??)? +\w+ http.*?(?= )/g)?.map((line) => line.replace(/ +/g, ' '))).toEqual([
    `http POST ${world.url}/tickets/find`,
    `http write GET ${world.url}/charge`,
    `http POST ${world.url}/tickets/find`,
    `http write GET ${world.url}/charge`,
  ])
  expect(stdout).toContain('4 steps (4 http), 2 side effects (1 repeated).')
  expect((await runCommand(project.path, ['list', '--store', 'runs'])).stdout).toContain(`GET ${host}/charge: step 4 repeats step 2`)
  const { runs } = await createDirectoryStore('runs').find({})
  expect(runs[0]?.effects?.map(({ name, step }) => [name, step])).toEqual([[`GET ${host}/charge`, 2]])
})

it.each<[what: string, given: unknown, problem: string]>([
  ['no object', ['POST a.example/find'], `has to be an object: effects: { 'POST search.example/v1/*': 'read' }.`],
  [
    'a key without a method',
    { 'a.example/find': 'read' },
    `has the key "a.example/find", which has to be a method, a host and a path: 'POST search.example/v1/*'.`,
  ],
  ['an unknown effect', { 'POST a.example/find': 'none' }, `has to say 'read' or 'write' for "POST a.example/find", got "none".`],
])('refuses %s', (_what, given, problem) => {
  expect(() => createRecorder({ store: 'unused', effects: given as RequestEffects })).toThrow(
    `createRecorder: the option "effects" ${problem}`,
  )
})
