import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LocalServer } from '../../examples/world/listen.ts'
import { promote } from '../../src/goldens/promote.ts'
import { replay } from '../../src/goldens/test-replay.ts'
import { listTraces } from '../../src/replay/traces/list-traces.ts'
import { rerun } from '../../src/replay/rerun.ts'
import { fork } from '../../src/travel/fork.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { createPausingAgent, recordConversation, startShop } from '../support/pausing-agent.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

const store = '.goldenrun/runs'
let shop: LocalServer

beforeAll(async () => {
  shop = await startShop()
})

afterAll(() => shop[Symbol.asyncDispose]())

/** The first run asks for the order in other words. */
const otherFirstCall = (source: string): string => source.replace('order: input.order })\n', "order: input.order, currency: 'usd' })\n")

/** A project with the goldens `refund-talk/1` and `refund-talk/2`. */
async function createProject(follows: object = { follows: 'refund-talk/1' }): Promise<TemporaryDirectory> {
  const project = await createTemporaryDirectory()
  project.enter()
  const [first, second] = await recordConversation(store, createPausingAgent(shop.url))
  await promote(await readTrace(first), { name: 'refund-talk/1' })
  await promote(await readTrace(second), { name: 'refund-talk/2', ...follows })
  return project
}

it('is red without what the process kept of the run before it, and green after it, 5 of 5', async () => {
  await using project = await createProject()
  const alone = await replay('refund-talk/2', createPausingAgent(shop.url), { after: [] })
  expect(alone.divergences[0]?.cause).toBe('missing-call')
  const hashes = new Set<string>()
  for (let time = 0; time < 5; time += 1) {
    const run = await replay('refund-talk/2', createPausingAgent(shop.url))
    expect(run.divergences).toEqual([])
    expect(run.trace.header.golden).toMatchObject({ name: 'refund-talk/2', follows: 'refund-talk/1' })
    hashes.add(run.hash)
  }
  expect(hashes.size).toBe(1)
  expect(project.path).toBe(process.cwd())
})

it('is red on its own without follows', async () => {
  await using _ = await createProject({})
  const run = await replay('refund-talk/2', createPausingAgent(shop.url))
  expect(run.divergences[0]?.cause).toBe('missing-call')
})

it('is red where the code of the first run spoils the second, though the first one holds', async () => {
  await using _ = await createProject()
  const spoiled = (): ReturnType<typeof createPausingAgent> =>
    createPausingAgent(shop.url, (source) => source.replace('amount: total', 'amount: total / 100'))
  expect((await replay('refund-talk/1', spoiled())).divergences).toEqual([])
  const run = await replay('refund-talk/2', spoiled())
  expect(run.divergences[0]).toMatchObject({ cause: 'input', step: 1 })
})

it('says that an earlier run does not hold, in place of what follows from that', async () => {
  await using _ = await createProject()
  await expect(replay('refund-talk/2', createPausingAgent(shop.url, otherFirstCall))).rejects.toMatchObject({
    code: 'GOLDENRUN_EARLIER_RUN',
    message:
      '"refund-talk/2" was not judged, because it follows "refund-talk/1", which does not hold: step 1 diverged (input: body). ' +
      'Fix or update that one first. To see it: npx goldenrun replay refund-talk/1',
  })
})

it('replays a whole conversation by its name: the last run, or the first that does not hold', async () => {
  await using _ = await createProject()
  const run = await replay('refund-talk', createPausingAgent(shop.url))
  expect([run.trace.header.golden?.name, run.divergences]).toEqual(['refund-talk/2', []])
  expect(run.outcome).toMatchObject({ status: 'returned', output: { refund: expect.stringMatching(/^re_/) } })
  const changed = await replay('refund-talk', createPausingAgent(shop.url, otherFirstCall))
  expect([changed.trace.header.golden?.name, changed.divergences[0]?.step]).toEqual(['refund-talk/1', 1])
})

it.each([
  ['does not exist', 'refund-talk/0', 'refund-talk/2 follows refund-talk/0, which is not in golden-traces'],
  ['is the golden itself', 'refund-talk/2', 'it would follow itself: refund-talk/2 follows refund-talk/2'],
])('says that the golden before %s', async (_, follows, problem) => {
  await using project = await createProject()
  const file = 'golden-traces/refund-talk/2.jsonl'
  await project.write(file, (await project.read(file)).replace('"follows":"refund-talk/1"', `"follows":"${follows}"`))
  await expect(replay('refund-talk/2', createPausingAgent(shop.url))).rejects.toMatchObject({
    code: 'GOLDENRUN_CONVERSATION',
    message:
      `"refund-talk/2" cannot be replayed after its earlier runs: ${problem}. Restore that golden, or promote the runs of the ` +
      'conversation again, in their order: npx goldenrun promote <run> <run> --name <name> --force',
  })
})

it('does not promote a run after one that it cannot follow', async () => {
  await using _ = await createProject()
  const [first, second] = await recordConversation(store, createPausingAgent(shop.url))
  await expect(promote(await readTrace(first), { name: 'earlier', follows: 'refund-talk/3' })).rejects.toMatchObject({
    code: 'GOLDENRUN_CONVERSATION',
    message: expect.stringContaining('earlier follows refund-talk/3, which is not in golden-traces'),
  })
  await promote(await readTrace(second), { name: 'later' })
  await expect(promote(await readTrace(first), { name: 'earlier', follows: 'later' })).rejects.toMatchObject({
    code: 'GOLDENRUN_PROMOTE_CONVERSATION',
    message: expect.stringContaining(`Name the runs in the order in which they started: ${first} ${second}`),
  })
})

it('asks which of several last runs is meant', async () => {
  await using _ = await createProject()
  const [, second] = (await listTraces({ store })).map(({ id }) => id)
  await promote(await readTrace(second ?? ''), { name: 'refund-talk/other', follows: 'refund-talk/1' })
  await expect(replay('refund-talk', createPausingAgent(shop.url))).rejects.toMatchObject({
    code: 'GOLDENRUN_CONVERSATION',
    message: '"refund-talk" ends in 2 goldens: refund-talk/2, refund-talk/other. Name the one you mean.',
  })
})

it('replays recordings after others with the option after', async () => {
  await using project = await createTemporaryDirectory()
  project.enter()
  const [first, second] = await recordConversation(store, createPausingAgent(shop.url))
  const agent = createPausingAgent(shop.url)
  expect((await replay(second, agent, { after: [await readTrace(first)] })).divergences).toEqual([])
  const wrong = { after: first as unknown as [] }
  await expect(replay(second, agent, wrong)).rejects.toThrow(
    `replay: the option "after" has to be a list of traces, as readTrace reads them, got "${first}".`,
  )
})

it('replays the earlier runs again for each further replay, and for a rerun', async () => {
  await using _ = await createProject()
  const run = await replay('refund-talk/2', createPausingAgent(shop.url))
  expect((await run.again()).divergences).toEqual([])
  expect((await rerun('refund-talk/2', createPausingAgent(shop.url), { times: 20 })).hashes).toHaveLength(1)
})

it('forks a run after those before it', async () => {
  await using _ = await createProject()
  const agent = createPausingAgent(shop.url)
  const run = await fork('refund-talk/2', agent, { at: 1, edit: { answer: { id: 're_edited' } } })
  expect(run.outcome).toMatchObject({ output: { refund: 're_edited' } })
})
