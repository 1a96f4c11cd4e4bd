import { expect, it } from 'vitest'
import { renderReport } from '../../src/divergence/create-report.ts'
import { external } from '../../src/index.ts'
import { replay } from '../../src/replay.ts'
import { recordLateRun } from '../support/record-late-run.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'
import { drop, greenEndsCases, post, save, setUpEndOrder, testGreenEnds, world } from '../support/end-order-runs.ts'

setUpEndOrder()

const writes = { 'an HTTP call': () => post('log'), 'a tool': () => save('log') }

it.each(Object.entries(writes))('is red where the last write is no longer awaited: %s', async (_of, write) => {
  const agent = async (waits: boolean): Promise<string> => {
    const reply = await post('ask')
    if (waits) await write()
    else drop(write())
    return reply
  }
  const { trace } = await recordRun(() => agent(true))
  await expectClean(trace, () => agent(true))
  const run = await replay(trace, () => agent(false))
  expect(run.divergences).toMatchObject([{ cause: 'order', step: 2, position: 'at' }])
  const report = renderReport(run, { color: false, width: 120 })
  expect(report).toContain('Step 2 is no longer awaited: the agent ended before it was answered, the recorded run afterwards.')
  // By fetch in the helper, by the tool here.
  expect(report).toMatch(/end-order(?:-runs|\.test)\.ts/)
})

it.each(Object.entries(writes))('is red where a write that was left behind is awaited: %s', async (_of, write) => {
  const agent = async (waits: boolean): Promise<string> => {
    const reply = await post('ask')
    if (waits) await write()
    else drop(write())
    return reply
  }
  const trace = await recordLateRun(() => agent(false))
  const run = await replay(trace, () => agent(true))
  expect(run.divergences).toMatchObject([{ cause: 'order', step: 2, position: 'at' }])
  expect(renderReport(run, { color: false, width: 120 })).toContain(
    'Step 2 is now awaited: the agent ended after it was answered, the recorded run before.',
  )
})

it('is red where a write that a timer made behind the end is made before it', async () => {
  const agent = async (waits: boolean): Promise<string> => {
    const reply = await post('ask')
    if (waits) await post('log')
    else setTimeout(() => drop(post('log')), 50)
    return reply
  }
  const trace = await recordLateRun(() => agent(false))
  expect((await replay(trace, () => agent(true))).divergences).toMatchObject([{ cause: 'order', step: 2 }])
})

it('names the write that is no longer awaited where the agent returns how long it took, too', async () => {
  const agent = async (waits: boolean): Promise<object> => {
    const startedAt = Date.now()
    const reply = await post('ask')
    if (waits) await post('log')
    else drop(post('log'))
    return { reply, took: Date.now() - startedAt }
  }
  const { trace } = await recordRun(() => agent(true))
  await expectClean(trace, () => agent(true))
  const { divergences } = await replay(trace, () => agent(false))
  expect(divergences).toMatchObject([
    { cause: 'order', step: 2, position: 'at' },
    { cause: 'outcome', differences: [{ path: 'output.took' }], consequence: true },
  ])
})

it('says how the agent ended where a number that it returns is no time, too', async () => {
  const agent = async (waits: boolean): Promise<object> => {
    const startedAt = Date.now()
    const reply = await post('ask')
    if (waits) await post('log')
    else drop(post('log'))
    return { reply, days: waits ? 9_000_000 : 8_000_000, waited: Date.now() > startedAt }
  }
  const { trace } = await recordRun(() => agent(true))
  const { divergences } = await replay(trace, () => agent(false))
  expect(divergences).toMatchObject([{ cause: 'outcome', differences: [{ path: 'output.days' }] }])
})

it('says how the agent ended where it ends otherwise, too', async () => {
  const agent = async (waits: boolean): Promise<string> => {
    const saved = save('log')
    drop(saved)
    return waits ? await saved : 'not waited for'
  }
  const { trace } = await recordRun(() => agent(true))
  expect((await replay(trace, () => agent(false))).divergences).toMatchObject([{ cause: 'outcome' }])
})

// Other ends: end-order.slow.test.ts.
testGreenEnds(greenEndsCases.slice(3, 6))

it('takes an answer that is not read for an answer', async () => {
  const agent = async (): Promise<number> => (await fetch(`${world.url}/log`, { method: 'POST' })).status
  const { trace } = await recordRun(agent)
  await expectClean(trace, agent)
})

it('is red where the last writes, which were answered together, are no longer awaited', async () => {
  const answers: (() => void)[] = []
  const ask = external('ask', (id: number) => new Promise<number>((resolve) => answers.push(() => resolve(id))))
  const agent = async (waits: 'for both' | 'for one' | 'for none'): Promise<string> => {
    const asked = [ask(1), ask(2)]
    setTimeout(() => answers.splice(0).forEach((answer) => answer()), 5)
    if (waits === 'for both') await Promise.all(asked)
    else if (waits === 'for one') await asked[0]
    return 'done'
  }
  const { trace } = await recordRun(() => agent('for both'))
  await expectClean(trace, () => agent('for both'))
  expect((await replay(trace, () => agent('for one'))).divergences).toEqual([])
  expect((await replay(trace, () => agent('for none'))).divergences).toMatchObject([{ cause: 'order', step: 2, position: 'at' }])
})
