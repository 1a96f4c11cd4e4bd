import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { renderDivergences } from '../../src/divergence/create-report.ts'
import { replay } from '../../src/replay/replay.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'

// What an agent does with a refusal: engine/swallowed.test.ts. What it does for ever: engine/endless.test.ts.

const look = tool('look', {}, async (order: string) => order)
const refund = tool('refund', { effect: 'write' }, async (order: string) => order)
const extra = tool('extra', { effect: 'write' }, async (order: string) => order)

const server = await listen(async (_request, response) => {
  for (const piece of ['one ', 'two ', 'three ']) {
    response.write(piece)
    await new Promise((resolve) => setTimeout(resolve, 3))
  }
  response.end()
})
afterAll(() => server.close())

const { trace } = await recordRun(async () => {
  await look('ord_1')
  await refund('ord_1')
  return 'done'
})

const causes = ({ divergences }: ReplayedRun): unknown => divergences.map(({ cause, step, name }) => [cause, step, name])

/** Ways in which a call comes after the agent has returned. */
const afterwards: Readonly<Record<string, (call: () => Promise<unknown>) => void>> = {
  'in a microtask': (call) => void Promise.resolve().then(call),
  'in the next turn of the event loop': (call) => void turn().then(call),
  'some turns later': (call) =>
    void turn()
      .then(() => turn())
      .then(() => turn())
      .then(call),
}

for (const [name, later] of Object.entries(afterwards)) {
  it(`tells of a call that the agent makes after it has returned, ${name}`, { timeout: 10_000 }, async () => {
    const run = await replay(trace, async () => {
      await look('ord_1')
      await refund('ord_1')
      later(() => extra('ord_1').catch(() => undefined))
      return 'done'
    })
    expect(causes(run)).toEqual([['unexpected-call', 2, 'extra']])
  })
}

it('tells of every recorded call that is never made', { timeout: 10_000 }, async () => {
  expect(causes(await replay(trace, async () => 'done'))).toEqual([
    ['missing-call', 1, 'look'],
    ['missing-call', 2, 'refund'],
  ])
})

it('tells of a recorded call that is never made though the agent throws before, and catches that', { timeout: 10_000 }, async () => {
  const run = await replay(trace, async () => {
    await look('ord_1')
    try {
      throw new Error('out of luck')
    } catch {
      return 'done'
    }
  })
  expect(causes(run)).toEqual([['missing-call', 2, 'refund']])
})

/** Ways to leave a stream that was read to its end. */
const leaving: Readonly<Record<string, (body: ReadableStream<Uint8Array>) => Promise<string>>> = {
  'never reads it': async () => '',
  'reads one chunk of it and waits no longer': async (body) => {
    const { value } = await body.getReader().read()
    return Buffer.from(value ?? []).toString()
  },
  'stops reading it': async (body) => {
    for await (const piece of body) return Buffer.from(piece).toString()
    return ''
  },
  'cancels it': async (body) => body.cancel('enough').then(() => ''),
}

for (const [name, leave] of Object.entries(leaving)) {
  it(`ends in a verdict where the agent read a stream to its end and now ${name}`, { timeout: 10_000 }, async () => {
    const agent = async (read: (body: ReadableStream<Uint8Array>) => Promise<string>): Promise<string> => {
      const { body } = await fetch(server.url)
      const text = body === null ? '' : await read(body)
      return `${await look('ord_1')} ${text}`
    }
    const { trace: streamed } = await recordRun(() => agent((body) => new Response(body).text()))
    const run = await replay(streamed, () => agent(leave))
    // The next call no longer waits for the end of the stream, and what the agent returns lacks the rest of it.
    expect(run.divergences.map(({ cause }) => cause)).toContain('outcome')
    expect(run.outcome.status).toBe('returned')
  })
}

it('finds a stream that is left before its end though nothing else differs', { timeout: 10_000 }, async () => {
  const agent = async (pieces: number): Promise<string> => {
    const { body } = await fetch(server.url)
    const reader = body?.getReader()
    for (let piece = 0; piece < pieces && (await reader?.read())?.done === false; piece += 1);
    if (pieces < Infinity) await reader?.cancel()
    return 'done'
  }
  const { trace: whole } = await recordRun(() => agent(Infinity))
  expect((await replay(whole, () => agent(Infinity))).divergences).toEqual([])
  const run = await replay(whole, () => agent(1))
  expect(run.divergences).toMatchObject([
    { cause: 'outcome', step: 1, position: 'at', site: { file: 'test/replay/nothing-swallowed.test.ts' } },
  ])
  expect(renderDivergences(run, { color: false, width: 120 })).toContain(
    'The agent stopped reading this answer before its end, but the recorded run read all of it.\n    expected  read to its end\n    received  left before its end\n',
  )
  // As it was left when it was recorded.
  const { trace: left } = await recordRun(() => agent(1))
  expect((await replay(left, () => agent(1))).divergences).toEqual([])
})
