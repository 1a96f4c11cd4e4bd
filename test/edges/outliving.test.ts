import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { replay } from '../../src/replay/replay.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun, startRecorder } from '../support/record-run.ts'

let beats = 0
const server = await listen(async (_request, response) => {
  beats += 1
  response.end('ok')
})
afterAll(() => server.close())
const look = tool('look', {}, async (order: string) => order)

it('takes the firings of an interval that a recorded run leaves running for its own, and none for another run’s', async () => {
  await using recorder = await startRecorder()
  const seen: unknown[] = []
  let interval: NodeJS.Timeout | undefined
  const { trace: first } = await recorder.record(async () => {
    // A singleton, born in whichever run comes first.
    interval ??= setInterval(() => {
      seen.push(currentRun(), Date.now())
      void fetch(server.url).then((response) => response.text())
    }, 5)
    return await look('ord_1')
  })
  const { trace: second } = await recorder.record(async () => {
    await sleep(30)
    return await look('ord_2')
  })
  clearInterval(interval)
  expect(beats).toBeGreaterThan(1)
  const owners = seen.filter((run) => typeof run !== 'number')
  expect(new Set(owners.map((run) => (run as { readonly id: string } | undefined)?.id))).toEqual(new Set([first.header.id]))
  // What the firings ask for may be in the recording already when that is read.
  const looked = [first, second].map(({ steps }) => steps.filter(({ name }) => name === 'look').map(({ input }) => input))
  expect(looked).toEqual([['ord_1'], ['ord_2']])
  expect(second.steps).toHaveLength(1)
  expect(second.rows.filter(({ kind }) => kind === 'timer')).toHaveLength(1)
})

it('lets an interval of a replayed run neither keep the replay going nor reach the world', async () => {
  const { trace } = await recordRun(() => look('ord_1'))
  const before = beats
  const run = await replay(trace, async () => {
    setInterval(() => void fetch(server.url).catch(() => undefined), 5)
    return await look('ord_1')
  })
  await sleep(30)
  expect([run.divergences, run.outcome, beats]).toEqual([[], { status: 'returned', output: 'ord_1' }, before])
})

it('accepts an extra read after the agent has returned', async () => {
  const { trace } = await recordRun(() => look('ord_1'))
  const before = beats
  const run = await replay(trace, async () => {
    const order = await look('ord_1')
    setImmediate(() => void fetch(server.url).catch(() => undefined))
    return order
  })
  expect([run.divergences, beats]).toEqual([[], before])
})

it('is red where what comes when the agent has returned is a write', async () => {
  const { trace } = await recordRun(() => look('ord_1'))
  const refund = tool('refund', { effect: 'write' }, async (order: string) => order)
  const lates: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['refund', () => refund('ord_1')],
    [new URL(server.url).host, () => fetch(server.url, { method: 'POST', body: 'refund' })],
  ]
  for (const [name, late] of lates) {
    const run = await replay(trace, async () => {
      const order = await look('ord_1')
      setImmediate(() => void late().catch(() => undefined))
      return order
    })
    expect(run.divergences).toMatchObject([{ cause: 'unexpected-call', name }])
  }
})
