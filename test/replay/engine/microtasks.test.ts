import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { replayPrograms } from './microtask-programs.ts'

const look = tool('look', {}, async (value: string) => value)
const find = tool('find', {}, async (value: string) => value)

/** A chain of awaits that waits for nothing. */
async function chain(length: number): Promise<void> {
  for (let link = 0; link < length; link += 1) await Promise.resolve()
}

/** Unchanged agents whose next call comes of a chain of microtasks, beside a tool that settles in microtasks. */
const racing: Readonly<Record<string, () => Promise<unknown>>> = {
  'a race that a chain wins': async () => {
    await Promise.race([chain(20), look('slow chain'), find('other')])
    return await look('next')
  },
  'a race that a chain wins, after another call': async () => {
    await look('first')
    await Promise.race([chain(15), Promise.any([look('a'), find('b'), chain(12)])])
    return await look('next')
  },
  'a chain in parallel': async () => await Promise.all([look('a'), chain(30).then(() => find('b')), look('c')]),
  'all of a race settled': async () => {
    const slow = chain(18).then(() => find('b'))
    await Promise.allSettled([look('a'), Promise.race([look('c'), chain(9)])])
    return await slow
  },
}

for (const [name, agent] of Object.entries(racing)) {
  it(`raises no false order where tools that settle in microtasks stand in ${name}`, async () => {
    const { trace } = await recordRun(agent)
    await expectClean(trace, agent)
  })
}

/** A chain of awaits wins against a branch that makes two calls, one after the other; the agent goes on while that branch is under way. */
const overtakes = (first: typeof look, second: typeof find) => async (): Promise<string> => {
  await Promise.race([chain(12), first('a').then(() => second('b'))])
  return await look('next')
}

it('raises no false order where the branch that a chain overtakes does I/O', async () => {
  const slow = tool('slow', {}, async (value: string) => readFile(import.meta.filename).then(() => value))
  for (const agent of [overtakes(slow, find), overtakes(slow, slow)]) {
    const { trace } = await recordRun(agent)
    for (let time = 0; time < 5; time += 1) expect((await replay(trace, agent)).divergences).toEqual([])
  }
})

it('raises a false order in the one case that is known: two calls in memory, one after the other, overtaken by a chain of awaits', async () => {
  const agent = overtakes(look, find)
  const { trace } = await recordRun(agent)
  expect((await replay(trace, agent)).divergences).toMatchObject([{ cause: 'order', step: 3, before: 2 }])
})

it('still finds calls that were made one after the other and are made at once, though they settle in microtasks', async () => {
  const { trace } = await recordRun(async () => [await look('a'), await find('b'), await look('c')])
  const atOnce: (() => Promise<unknown>)[] = [
    () => Promise.all([look('a'), find('b'), look('c')]),
    () => Promise.all([find('b'), look('a')]).then(() => look('c')),
    async () => {
      const [first, second] = [look('a'), find('b')]
      return [await first, await second, await look('c')]
    },
    () => Promise.all([look, find, look].map(async (call, index) => chain(5).then(() => call('abc'.charAt(index))))),
  ]
  for (const agent of atOnce) expect((await replay(trace, agent)).divergences[0]).toMatchObject({ cause: 'order', step: 2 })
})

// Three hundred of them: microtasks.slow.test.ts.
it('calls no order wrong in fifteen programs of tools that settle in microtasks, each replayed unchanged', async () => {
  const { found, steps } = await replayPrograms(15)
  expect(steps).toBeGreaterThan(45)
  expect(found.filter((line) => line.startsWith('order')).length, found.join('\n')).toBeLessThanOrEqual(1)
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(3)
})
