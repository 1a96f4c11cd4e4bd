import { expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { realTimers } from '../../src/node/real-timers.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { replay } from '../../src/replay/replay.ts'
import { external } from '../../src/run/external.ts'
import { assembleTrace } from '../../src/trace/assemble.ts'
import type { Row } from '../../src/trace/rows.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { createRandom, type Random } from '../support/random.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

const CALLS = 8
/** GOLDENRUN_SEED=… repeats one seed. */
const seeds = process.env['GOLDENRUN_SEED']?.split(',') ?? Array.from({ length: 6 }, (_, index) => `${Date.now()}-${index}`)

/** A server whose answers come in an order of chance, a third of them in pieces. */
async function startServer(random: Random): Promise<Awaited<ReturnType<typeof listen>>> {
  const order = random.shuffle(Array.from({ length: CALLS }, (_, index) => index))
  return await listen(async (request, response) => {
    const number = Number(request.url?.split('/')[1])
    const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))
    await pause((order[number] ?? random.whole(0, CALLS)) * 2)
    const pieces = number % 3 === 0 ? ['a', 'b', 'c'] : ['whole']
    for (const piece of pieces) {
      response.write(`${number}${piece} `)
      await pause(random.whole(0, 3))
    }
    response.end()
  })
}

/** What it asks next depends on who answers first. */
async function dependent(url: string): Promise<unknown> {
  const seen: string[] = []
  const look = external('look', async (number: number) => `looked at ${number}`)
  const ask = async (number: number): Promise<string> => {
    const response = await fetch(`${url}/${number}`)
    let text = ''
    for await (const piece of response.body ?? []) {
      seen.push(`${number}`)
      text += Buffer.from(piece).toString()
    }
    seen.push(await look(number))
    return text
  }
  const calls = Array.from({ length: CALLS }, (_, number) => ask(number))
  const winner = await Promise.race(calls)
  const followed = await fetch(`${url}/100/${encodeURIComponent(winner)}`)
  const timed = await Promise.race([Promise.all(calls), new Promise((resolve) => setTimeout(resolve, 9, 'late'))])
  return { winner, followed: await followed.text(), timed, all: await Promise.all(calls), seen }
}

it.each(seeds)('replays what was recorded in whatever order, exactly: GOLDENRUN_SEED=%s', async (seed) => {
  const server = await startServer(createRandom(seed))
  const { trace } = await recordRun(dependent, { input: server.url })
  await server.close()
  for (let time = 0; time < 2; time += 1) await expectClean(trace, dependent)
})

it('tells recordings apart whose orders differ', async () => {
  const outcomes = new Set<string>()
  const hashes = new Set<string>()
  for (const seed of ['one', 'two', 'three', 'four', 'five']) {
    const server = await startServer(createRandom(seed))
    const { trace } = await recordRun(dependent, { input: server.url })
    await server.close()
    outcomes.add(JSON.stringify(trace.end?.output))
    hashes.add(trace.hash)
  }
  expect([outcomes.size, hashes.size]).toEqual([5, 5])
})

/** Waits on a clock that is none of the run's: all that the trace has of it is the call and its end. */
const wait = external(
  'wait',
  (_index: number, milliseconds: number) => new Promise((resolve) => realTimers.setTimeout(() => resolve(milliseconds), milliseconds)),
)

/** Ends with the order in which its calls came to their end, and asks about it. */
async function ordered(numbers: readonly number[]): Promise<unknown> {
  const seen: number[] = []
  await Promise.all(numbers.map(async (number, index) => wait(index, number).then(() => seen.push(index))))
  return seen
}

/** Does the same whatever the order. */
async function unordered(numbers: readonly number[]): Promise<unknown> {
  return ((await ordered(numbers)) as number[]).toSorted((a, b) => a - b)
}

/** The trace with two completions that follow one another in each other's place: as if the world had been quicker with one. */
function swapped(trace: Trace, place: number): Trace {
  const rows: Row[] = trace.rows.map((row) => ({ ...row }))
  const [first, second] = [rows[place], rows[place + 1]]
  if (first?.kind !== 'return' || second?.kind !== 'return') throw new Error('There are no two completions to swap.')
  const plain = ({ sameTick: _tick, sameTurn: _turn, ...row }: typeof first): typeof first => row
  rows.splice(place, 2, { ...plain(second), at: first.at }, { ...plain(first), at: second.at })
  return assembleTrace(rows, digest)
}

it('notices another order where the agent depends on it, and only there', async () => {
  const random = createRandom(seeds[0] ?? '')
  const input = random.shuffle([2, 6, 10, 14, 18, 22])
  const [sensitive, insensitive] = [await recordRun(ordered, { input }), await recordRun(unordered, { input })]
  let swaps = 0
  for (const [place, row] of sensitive.trace.rows.entries()) {
    if (row.kind !== 'return' || sensitive.trace.rows[place + 1]?.kind !== 'return') continue
    swaps += 1
    const run = await replay(swapped(sensitive.trace, place), ordered)
    expect(run.divergences, `GOLDENRUN_SEED=${seeds[0]}, swapped at ${place}`).toMatchObject([{ cause: 'outcome' }])
    const benign = swapped(insensitive.trace, place)
    expect((await replay(benign, unordered)).divergences).toEqual([])
  }
  expect(swaps).toBe(5)
})
