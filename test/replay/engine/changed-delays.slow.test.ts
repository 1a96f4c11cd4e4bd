import { expect, it } from 'vitest'
import type { ReplayedRun } from '../../../src/replay/contract/replayed-run.ts'
import { replay } from '../../../src/replay/replay.ts'
import { createSeededRandom } from '../../../src/replay/engine/seeded-random.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

/** How long each answer takes, in milliseconds. */
const TAKES = 20

const wait = (delay: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delay))

const lookUp = tool('look_up', { effect: 'read' }, async (id: string) => {
  await wait(TAKES)
  return `found ${id}`
})

/** An agent whose delays are a test's. */
type Agent = (...delays: readonly number[]) => Promise<unknown>

/** Pushes a name after each delay. */
const sleepers: Agent = async (...delays) => {
  const order: string[] = []
  await Promise.all(delays.map((delay, branch) => wait(delay).then(() => order.push(`branch ${branch + 1}`))))
  return order
}

/** Calls after each delay. */
const callers: Agent = async (...delays) => {
  const order: string[] = []
  const branch = async (delay: number, index: number): Promise<void> => {
    await wait(delay)
    order.push(await lookUp(`${index + 1}`))
  }
  await Promise.all(delays.map(branch))
  return order
}

/** Polls at a rate a branch. */
const pollers: Agent = async (...rates) => {
  const order: string[] = []
  const poll = async (rate: number, branch: number): Promise<void> => {
    for (let time = 1; time <= 2; time += 1) {
      await wait(rate)
      order.push(await lookUp(`${branch + 1}, time ${time}`))
    }
  }
  await Promise.all(rates.map(poll))
  return order
}

/** Two calls in a row after a pause, beside a branch that only sleeps. */
const besideSleep: Agent = async (pause = 0, beside = 0, between = 0) => {
  const branch = async (): Promise<string> => {
    await wait(pause)
    const first = await lookUp('first')
    if (between > 0) await wait(between)
    return lookUp(`second after ${first}`)
  }
  const [found] = await Promise.all([branch(), wait(beside)])
  return found
}

/** The same, with the branch that sleeps in the first place. */
const behindSleep: Agent = async (pause = 0, beside = 0) => {
  const branch = async (): Promise<string> => {
    await wait(pause)
    return lookUp(`second after ${await lookUp('first')}`)
  }
  const [, found] = await Promise.all([wait(beside), branch()])
  return found
}

/** A warning that a pause is too long. */
const warned: Agent = async (limit = 0, pause = 0) => {
  let state = 'in time'
  const warning = setTimeout(() => (state = 'late'), limit)
  await wait(pause)
  clearTimeout(warning)
  return lookUp(state)
}

/** The same of two pauses, one after the other. */
const warnedTwice: Agent = async (limit = 0, first = 0, second = 0) => {
  let state = 'in time'
  const warning = setTimeout(() => (state = 'late'), limit)
  await wait(first)
  await wait(second)
  clearTimeout(warning)
  return lookUp(state)
}

/** The same of two pauses with a call in between. */
const warnedWork: Agent = async (limit = 0, pause = 0) => {
  let state = 'in time'
  const warning = setTimeout(() => (state = 'late'), limit)
  await wait(pause)
  await lookUp('the work')
  await wait(pause)
  clearTimeout(warning)
  return lookUp(state)
}

/** Gives up work that pauses behind its call. */
const raced: Agent = async (limit = 0, pause = 0) => {
  const work = async (): Promise<string> => {
    await wait(pause)
    await lookUp('the work')
    await wait(pause)
    return 'done'
  }
  return lookUp(await Promise.race([work(), wait(limit).then(() => 'given up')]))
}

/** Records an agent with delays, which stays green with the same, and replays it with others. */
async function change(agent: Agent, before: readonly number[], now: readonly number[]): Promise<ReplayedRun> {
  const { trace } = await recordRun(() => agent(...before))
  await expectClean(trace, () => agent(...before))
  return await replay(trace, () => agent(...now))
}

it.each([
  ['both longer, one as long as the other was', [20, 40], [40, 60], [1, 2]],
  ['doubled', [20, 40], [40, 80], [1, 2]],
  ['halved', [20, 40], [10, 20], [1, 2]],
  ['the later one in the first place', [40, 20], [60, 40], [2, 1]],
  ['one longer', [20, 40], [60, 40], [2, 1]],
  ['one shorter', [20, 40], [20, 10], [2, 1]],
  ['exchanged', [20, 40], [40, 20], [2, 1]],
  ['three longer', [10, 30, 50], [30, 50, 70], [1, 2, 3]],
  ['three, and one of them new between two', [10, 30, 50], [30, 40, 50], [1, 2, 3]],
] as const)('fires timers that were set together in the order of their delays: %s', async (_what, before, now, order) => {
  const output = order.map((branch) => `branch ${branch}`)
  const { trace } = await recordRun(() => sleepers(...before))
  expect((await replay(trace, () => sleepers(...now))).outcome).toEqual({ status: 'returned', output })
})

const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())

it(`fires timers that were set together in the order of their delays, with the seed ${seed}`, async () => {
  const random = createSeededRandom(seed)
  const draw = (): number[] => Array.from({ length: 4 }, () => 10 + 10 * Math.floor(random.double() * 5))
  // One after the other: a busy process fires timers late, and then in an order of its own.
  for (let pair = 0; pair < 8; pair += 1) {
    const [before, now] = [draw(), draw()]
    const { trace } = await recordRun(() => sleepers(...before))
    const byDelay = now.map((delay, index) => ({ delay, name: `branch ${index + 1}` })).toSorted((a, b) => a.delay - b.delay)
    const output = byDelay.map(({ name }) => name)
    expect((await replay(trace, () => sleepers(...now))).outcome, `${before.join()} became ${now.join()}`).toEqual({
      status: 'returned',
      output,
    })
  }
})

it.each([
  ['pauses before calls, doubled', callers, [30, 60], [60, 120]],
  ['pauses before calls, trebled', callers, [30, 60], [90, 180]],
  ['pauses before calls, halved', callers, [60, 120], [30, 60]],
  ['three pauses before calls, doubled', callers, [30, 60, 90], [60, 120, 180]],
  ['three pauses before calls that overlap, doubled', callers, [10, 20, 30], [20, 40, 60]],
  ['the rates of two that poll, doubled', pollers, [50, 220], [100, 440]],
  ['the rates of two that poll, halved', pollers, [100, 440], [50, 220]],
  ['a longer pause beside a sleep', besideSleep, [20, 60], [75, 60]],
  ['a much longer pause beside a sleep', besideSleep, [20, 60], [200, 60]],
  ['a longer pause beside a sleep, and one between the calls', besideSleep, [10, 60, 5], [200, 60, 5]],
  ['a longer pause beside a sleep, and a changed one between the calls', besideSleep, [10, 60, 5], [200, 60, 7]],
  ['a longer pause beside a sleep that was begun before', behindSleep, [20, 60], [200, 60]],
  ['a limit that a pause still keeps', warned, [200, 60], [100, 60]],
  ['a longer limit of a pause', warned, [200, 60], [400, 60]],
  ['a limit that work still keeps', raced, [300, 30], [200, 30]],
  ['shorter pauses of work with a limit', warnedWork, [350, 120], [350, 115]],
  ['longer pauses of work with a limit', warnedWork, [380, 120], [380, 130]],
  ['a longer pause before another with a limit', warnedTwice, [150, 40, 40], [150, 60, 40]],
] as const)('keeps what differs in time alone green: %s', async (_what, agent, before, now) => {
  expect((await change(agent, before, now)).divergences).toEqual([])
})

it.each([
  ['the one of a pause', warned, [200, 60], [20, 60], 'late'],
  ['the one of a pause that is longer', warned, [100, 40], [100, 160], 'late'],
  ['one that is over in the second of two pauses', warnedTwice, [150, 40, 40], [90, 60, 40], 'late'],
  ['one that is over in the second of two longer pauses', warnedTwice, [150, 40, 40], [150, 80, 80], 'late'],
  ['one that is over in longer pauses of work', warnedWork, [380, 120], [380, 200], 'late'],
  ['one that is over in the pause behind a call', raced, [300, 40], [80, 40], 'given up'],
] as const)('fires a limit that is over before the pause that it limits: %s', async (_what, agent, before, now, asked) => {
  const { divergences } = await change(agent, before, now)
  expect(JSON.stringify(divergences[0]?.received)).toContain(asked)
})

it('finds that branches behind a longer pause became one sequence', async () => {
  const asked = async (...ids: readonly string[]): Promise<void> => {
    for (const id of ids) await lookUp(id)
  }
  const { trace } = await recordRun(() => Promise.all([asked('a', 'b'), wait(60).then(() => asked('c')), wait(120)]))
  const run = await replay(trace, () => Promise.all([wait(200).then(() => asked('c', 'a', 'b')), wait(120)]))
  expect(run.divergences[0]).toMatchObject({ cause: 'order' })
})
