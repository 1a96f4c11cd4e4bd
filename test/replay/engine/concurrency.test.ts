import pMap from 'p-map'
import PQueue from 'p-queue'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { replay } from '../../../src/replay/replay.ts'
import { tool } from '../../../src/run/tool.ts'
import { createRandom } from '../../support/random.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

const wait = (delay: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delay))
const seed = process.env['GOLDENRUN_SEED'] ?? String(Date.now())
const random = createRandom(seed)

/** Answers late by chance, every other time in pieces. */
const server = await listen(async (request, response) => {
  const number = Number(request.url?.slice(1))
  await wait(random.whole(0, 8))
  if (number % 2 === 0) return void response.end(`${number}`)
  for (const piece of ['a', 'b', 'c']) {
    response.write(`${number}${piece} `)
    await wait(random.whole(0, 4))
  }
  response.end()
})
afterAll(() => server.close())

const look = tool('look', {}, async (number: number) => wait(random.whole(0, 6)).then(() => number))
const fail = tool('fail', {}, async (number: number) => {
  await wait(random.whole(0, 6))
  throw new Error(`no ${number}`)
})
const ask = async (number: number): Promise<string> => (await fetch(`${server.url}/${number}`)).text()
const numbers = Array.from({ length: 10 }, (_, index) => index)

/** Lets so many through at a time. */
class Semaphore {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(count: number) {
    this.#free = count
  }

  async do<Result>(body: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await body()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}

/** Each yields what came when, in the order in which it came. */
const agents: Readonly<Record<string, () => Promise<unknown>>> = {
  'p-map with a concurrency': async () => {
    const order: string[] = []
    const all = await pMap(numbers, async (number) => order.push(`${await look(number)} ${await ask(number)}`), { concurrency: 3 })
    return [all, order]
  },
  'p-queue with a concurrency, priorities and a pause': async () => {
    const queue = new PQueue({ concurrency: 2 })
    const order: number[] = []
    for (const number of numbers) void queue.add(async () => order.push(await look(number)), { priority: number % 3 })
    queue.pause()
    await wait(2)
    queue.start()
    await queue.onIdle()
    return order
  },
  'p-queue with an interval': async () => {
    const queue = new PQueue({ concurrency: 4, interval: 5, intervalCap: 2 })
    const order: string[] = []
    await queue.addAll(numbers.slice(0, 6).map((number) => async () => order.push(await ask(number))))
    return order
  },
  'a semaphore': async () => {
    const semaphore = new Semaphore(3)
    const order: string[] = []
    await Promise.all(numbers.map((number) => semaphore.do(async () => order.push(await ask(number)))))
    return order
  },
  'async iterators over several streams': async () => {
    const order: string[] = []
    const read = async (number: number): Promise<void> => {
      const { body } = await fetch(`${server.url}/${number}`)
      for await (const piece of body ?? []) order.push(`${Buffer.from(piece).toString()}(${await look(number)})`)
    }
    await Promise.all([1, 3, 5].map(read))
    return order.join('').replaceAll(' ', '')
  },
  'Promise.any, race and allSettled': async () => {
    const calls = numbers.map((number) => (number % 3 === 0 ? fail(number) : look(number)))
    const first = await Promise.any(calls)
    const raced = await Promise.race(numbers.map(ask))
    const none = await Promise.any([fail(20), fail(21)]).catch((error: AggregateError) => error.errors.map(String))
    const settled = await Promise.allSettled(calls)
    return [first, raced, none, settled.map(({ status }) => status)]
  },
}

for (const [name, agent] of Object.entries(agents)) {
  it(`replays ${name} as it was, with the seed ${seed}`, { timeout: 60_000 }, async () => {
    for (let time = 0; time < 2; time += 1) {
      const { trace } = await recordRun(agent)
      for (let again = 0; again < 2; again += 1) await expectClean(trace, agent)
    }
  })
}

it('finds a concurrency that was raised', async () => {
  let concurrency = 2
  const agent = async (): Promise<number> => (await pMap(numbers, look, { concurrency })).length
  const { trace } = await recordRun(agent)
  concurrency = 4
  expect((await replay(trace, agent)).divergences[0]).toMatchObject({ cause: 'order', name: 'look' })
})
