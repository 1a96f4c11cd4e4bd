import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun } from '../../support/record-run.ts'
import { countTimers } from './count-timers.ts'

// As in production, where the doors are open before the agent's modules load.
afterAll(installDoors())

const look = tool('look', { effect: 'read' }, async (name: string) => {
  await sleep(2)
  return name
})

/** What an edit of the agent's code does. */
interface Edit {
  readonly before?: () => Promise<unknown>
  readonly beside?: () => Promise<unknown>
  readonly between?: () => Promise<unknown>
  readonly after?: () => Promise<unknown>
  /** The waits of the third worker. Default: three. */
  readonly third?: readonly number[]
}

/** Three workers that wait side by side, a race, a call, and waits one after the other; it tells what came in which order, and when. */
function createAgent(edit: Edit): () => Promise<unknown> {
  return async () => {
    const order: string[] = []
    const work = async (name: string, delays: readonly number[]): Promise<void> => {
      for (const delay of delays) {
        await sleep(delay)
        order.push(`${name} ${delay}`)
      }
    }
    await edit.before?.()
    await Promise.all([work('first', [10, 18]), work('second', [14, 6]), work('third', edit.third ?? [4, 4, 4]), edit.beside?.()])
    const asked = look('order')
    await edit.between?.()
    const winner = await Promise.race([sleep(5, 'fast'), sleep(25, 'slow')])
    const started = Date.now()
    await sleep(8)
    await edit.after?.()
    return { order: order.filter((entry) => !entry.startsWith('third')), winner, asked: await asked, took: Date.now() - started > 5 }
  }
}

const edits: Readonly<Record<string, Edit>> = {
  none: {},
  'a wait was added before': { before: () => sleep(7_000) },
  'a wait was added beside': { beside: () => sleep(9) },
  'a wait as long as others was added beside': { beside: () => sleep(10) },
  'an hour was added beside': { beside: () => sleep(3_600_000) },
  'a wait was added between': { between: () => sleep(3) },
  'many waits were added between': { between: () => Promise.all(Array.from({ length: 20 }, (_, index) => sleep(index))) },
  'a wait was added after': { after: () => sleep(1) },
  'an interval was added': { beside: async () => clearInterval(await new Promise<NodeJS.Timeout>((resolve) => everyFew(resolve))) },
  'waits were removed': { third: [] },
  'a wait was removed': { third: [4, 4] },
  'a wait was lengthened': { third: [4, 400, 4] },
  'a wait was shortened': { third: [4, 1, 4] },
  'waits were added and removed': { before: () => sleep(2), third: [1], between: () => sleep(1), after: () => sleep(90_000) },
}

it.each(Object.entries(edits))('shifts no other wait: %s', async (_name, edit) => {
  const { trace, output } = await recordRun(createAgent({}))
  expect(output).toMatchObject({
    order: expect.arrayContaining(['first 10', 'second 14', 'second 6', 'first 18']),
    asked: 'order',
    took: true,
  })
  const { result: run, started } = await countTimers(() => replay(trace, createAgent(edit)))
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
  expect(started).toBe(0)
})

it('fires waits that the recording does not have by their delay, beside those that it has', async () => {
  const agent = (added: readonly number[]) => async (): Promise<string[]> => {
    const order: string[] = []
    const recorded = [10, 20, 30].map((delay) => sleep(delay).then(() => order.push(`recorded ${delay}`)))
    const others = added.map((delay) => sleep(delay).then(() => order.push(`added ${delay}`)))
    await Promise.all([...recorded, ...others])
    return order
  }
  const { trace, output } = await recordRun(agent([]))
  const run = await replay(trace, agent([500_000, 60_000, 900_000]))
  expect(run.outcome).toMatchObject({ output: [...output, 'added 60000', 'added 500000', 'added 900000'] })
  expect(run.virtualMs).toBe(900_000)
})

function everyFew(resolve: (interval: NodeJS.Timeout) => void): void {
  let ticks = 0
  const interval = setInterval(() => {
    ticks += 1
    if (ticks === 3) resolve(interval)
  }, 11)
}
