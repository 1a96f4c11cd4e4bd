import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import OpenAI from 'openai'
import { afterAll, expect, it } from 'vitest'
import { startProvider } from '../../examples/world/provider.ts'
import { checkpoint, currentRun, tool } from '../../src/index.ts'
import { fork, replay, resume } from '../../src/replay.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import { createEncoder } from '../../src/trace/codec/encoder.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'

let asked = 0
const provider = await startProvider({
  script: ({ messages }) => ({ text: `answer ${(asked += 1)} to ${messages.at(-1)?.text}`, chunks: 4 }),
})
afterAll(() => provider.close())
const openai = new OpenAI({ apiKey: 'sk-test', baseURL: provider.openaiBaseUrl, maxRetries: 0 })
async function ask(content: string, onFirst: () => void = () => undefined): Promise<string> {
  let text = ''
  for await (const { choices } of await openai.chat.completions.create({
    model: 'gpt-4.1',
    messages: [{ role: 'user', content }],
    stream: true,
  })) {
    const part = choices[0]?.delta.content ?? ''
    if (text === '' && part !== '') onFirst()
    text += part
  }
  return text
}
const book = tool('book', { effect: 'write' }, async (what: string) => `${what} booked`)

interface State {
  readonly turn: number
  readonly said: readonly string[]
}

/** Goes on from a state, or starts. Draws ids and reads the clock in each turn, and sleeps between them. */
async function agent({ turns }: { turns: number }): Promise<unknown> {
  let { turn, said } = (currentRun()?.resumedFrom?.state ?? { turn: 0, said: [] }) as State
  for (; turn < turns; turn += 1) {
    said = [...said, await ask(`question ${turn}`), randomUUID(), new Date().toISOString()]
    await sleep(15)
    said = [...said, await book(`room ${turn}`), String(Math.random())]
    checkpoint(`turn-${turn}`, { turn: turn + 1, said } satisfies State)
  }
  return said
}
const { trace, output } = await recordRun(agent, { input: { turns: 4 } })

it.each([0, 1, 2, 3])('goes on from the checkpoint of turn %i, with clock, ids and timers of that moment', async (turn) => {
  const before = asked
  const run = await resume(trace, agent, { checkpoint: `turn-${turn}` })
  expect(run.divergences).toEqual([])
  // The whole run's output, most of which was made before: what is drawn and read behind the checkpoint is as recorded.
  expect(run.outcome).toEqual({ status: 'returned', output })
  expect(run.steps).toHaveLength(2 * (3 - turn))
  expect(run.steps.map(({ step }) => step)).toEqual(trace.steps.map(({ step }) => step).slice(2 * (turn + 1)))
  expect(asked).toBe(before)
})

it('names the step from which the run continues', async () => {
  let seen: unknown
  await resume(trace, () => (seen = currentRun()?.resumedFrom), { checkpoint: 'turn-1' })
  expect(seen).toEqual({ checkpoint: 'turn-1', step: 4, state: trace.checkpoints[1]?.state })
  await replay(trace, () => (seen = currentRun()?.resumedFrom))
  expect(seen).toBeUndefined()
})

it('is a run that can be written, read and replayed', async () => {
  const made = (await resume(trace, agent, { checkpoint: 'turn-2' })).toTrace()
  const read = rewritten(made)
  expect(read.header.resumedFrom).toMatchObject({ id: trace.header.id, checkpoint: 'turn-2', step: 6 })
  const again = await replay(read, agent)
  expect(again.divergences).toEqual([])
  expect(again.hash).toBe(made.hash)
  expect(again.outcome).toEqual({ status: 'returned', output })
})

it('finds what differs behind the checkpoint, at its recorded step', async () => {
  const other = async (input: { turns: number }): Promise<unknown> => {
    const said = await agent(input)
    await book('one more room')
    return said
  }
  const extra = await resume(trace, other, { checkpoint: 'turn-1' })
  expect(extra.divergences[0]).toMatchObject({ cause: 'unexpected-call', step: 8, name: 'book' })
  const changed = await resume(trace, () => ask('another question'), { checkpoint: 'turn-1' })
  expect(changed.divergences[0]).toMatchObject({ cause: 'input', step: 5 })
  const nothing = await resume(trace, () => output, { checkpoint: 'turn-2' })
  expect(nothing.divergences[0]).toMatchObject({ cause: 'missing-call', step: 7 })
})

it('answers a call that was open at the checkpoint, from its start', async () => {
  const both = async (): Promise<string[]> => {
    const isResumed = currentRun()?.resumedFrom !== undefined
    const slow = ask('slow')
    if (!isResumed) {
      await sleep(0)
      checkpoint('waiting', {})
    }
    return [await slow, await ask('second')]
  }
  const { trace: waiting, output: said } = await recordRun(both)
  const run = await resume(waiting, both, { checkpoint: 'waiting' })
  expect(run.divergences).toEqual([])
  expect(run.outcome).toEqual({ status: 'returned', output: said })
})

it('answers a call whose answer had begun to arrive at the checkpoint, from its start', async () => {
  const one = async (): Promise<string[]> => {
    const isResumed = currentRun()?.resumedFrom !== undefined
    return [await ask('long', isResumed ? undefined : () => checkpoint('reading', {})), await ask('second')]
  }
  const { trace: reading, output: said } = await recordRun(one)
  const run = await resume(reading, one, { checkpoint: 'reading' })
  expect(run.divergences).toEqual([])
  expect(run.outcome).toEqual({ status: 'returned', output: said })
})

it('forks at a checkpoint with another state, which the agent starts from', async () => {
  const before = asked
  const at = { checkpoint: 'turn-1' } as const
  const state: State = { turn: 3, said: ['another past'] }
  const run = await fork(trace, agent, { at, edit: { state }, answers: { book: 'booked' }, then: 'live', clock: 'virtual' })
  expect(run.outcome).toMatchObject({
    status: 'returned',
    output: ['another past', `answer ${before + 1} to question 3`, ...Array<unknown>(4).fill(expect.any(String))],
  })
  expect(run.steps.map(({ name, route }) => [name, route])).toEqual([
    ['openai.chat', 'live'],
    ['book', 'recorded'],
  ])
  const forked = run.toTrace()
  expect(forked.header).toMatchObject({ resumedFrom: { checkpoint: 'turn-1', state }, forkedFrom: { edit: { state } } })
  const again = await replay(rewritten(forked), agent)
  expect([again.divergences, again.outcome]).toEqual([[], run.outcome])
  expect(asked).toBe(before + 1)
  await expect(fork(trace, agent, { at: { turn: 1 }, edit: { state } })).rejects.toThrow('the option "edit.state" needs the checkpoint')
})

it('does not hold the pieces that a resumed run hands out once more to their places in the whole run', async () => {
  const speaks = async function* (): AsyncGenerator<string> {
    let { said } = (currentRun()?.resumedFrom?.state ?? { said: [] }) as State
    yield* said
    for (let turn = said.length; turn < 3; turn += 1) {
      const line = await book(`room ${turn}`)
      said = [...said, line]
      checkpoint('line', { turn, said } satisfies State)
      yield line
    }
  }
  const { trace: spoken } = await recordRun(speaks, { consume: (pieces: AsyncIterable<string>) => Array.fromAsync(pieces) })
  expect(spoken.end?.given).toHaveLength(3)
  const run = await resume(spoken, speaks, { checkpoint: 'line' })
  expect(run.divergences).toEqual([])
  expect(run.outcome).toMatchObject({ output: { yielded: ['room 0 booked', 'room 1 booked', 'room 2 booked'] } })
})

it('says what a run has instead of a checkpoint', async () => {
  await expect(resume(trace, agent, { checkpoint: 'turn-9' })).rejects.toThrow(
    'did not reach the checkpoint "turn-9". Its checkpoints: turn-0, turn-1, turn-2, turn-3.',
  )
  await expect(resume(trace, agent, { checkpoint: 'turn-1', nth: 2 })).rejects.toThrow('It was reached 1 times.')
  const inTool = tool('inner', {}, async () => checkpoint('inside', 1))
  const { trace: nested } = await recordRun(() => inTool())
  await expect(resume(nested, () => 1, { checkpoint: 'inside' })).rejects.toThrow('is in a tool')
})

function rewritten({ rows }: Trace): Trace {
  const encoder = createEncoder()
  return decodeTrace(rows.flatMap((row) => encoder.encode(row)).join('\n'), 'resumed.jsonl', digest)
}
