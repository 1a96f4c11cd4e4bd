import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { renderDivergences } from '../../../src/divergence/create-report.ts'
import { compareRuns } from '../../../src/replay/compare/compare-runs.ts'
import type { ReplayedRun } from '../../../src/replay/contract/replayed-run.ts'
import { replay } from '../../../src/replay/replay.ts'
import { checkpoint } from '../../../src/run/checkpoint.ts'
import { tool } from '../../../src/run/tool.ts'
import { recordRun } from '../../support/record-run.ts'

const send = tool('send', { effect: 'write' }, async (args: unknown) => ({ sent: typeof args }))
const look = tool('look', { effect: 'read' }, async (args: unknown) => ({ seen: typeof args }))
const open = tool('open', { effect: 'write' }, async ({ id }: { id: string }) => ({ id, state: 'open' }))

/** Takes some milliseconds, so that reads before and after it differ. */
const wait = tool('wait', { effect: 'read' }, async () => {
  await sleep(5)
})

it('stays green with a read more, as long as one correspondence explains every place', async () => {
  const agent = async (more: boolean): Promise<string> => {
    if (more) crypto.randomUUID()
    const [request, key] = [crypto.randomUUID(), crypto.randomUUID()]
    await look({ request })
    await send({ request, key })
    return key
  }
  const run = await changed(agent)
  expect(told(run)).toBe('green')
  expect(run.hash).toBe(run.trace.hash)
})

it.each(['hex', 'base64url'] as const)('is red for drawn bytes of a different length, written as %s', async (encoding) => {
  const agent = (length: number) => async (isChanged: boolean) => {
    const state = randomBytes(isChanged ? length : 32).toString(encoding)
    await send({ state })
    return { state }
  }
  expect(told(await changed(agent(32)))).toBe('green')
  for (const length of [4, 16, 33, 64]) {
    const run = await changed(agent(length))
    expect(told(run)).toBe('input args at step 1')
    expect(run.divergences[0]?.differences).toMatchObject([{ path: 'args.state' }])
  }
})

it('stays green with a read less', async () => {
  const run = await changed(async (isChanged) => {
    const [first, second] = isChanged ? ['', crypto.randomUUID()] : [crypto.randomUUID(), crypto.randomUUID()]
    await send({ second, isFirst: first === second })
    return second
  })
  expect(told(run)).toBe('green')
})

it('is red for a new key for every try', async () => {
  const run = await changed(async (isChanged) => {
    const key = crypto.randomUUID()
    for (const attempt of [1, 2, 3]) await send({ key: isChanged ? crypto.randomUUID() : key, attempt: attempt > 0 })
  })
  expect(told(run)).toBe('input args at step 2')
  expect(run.divergences[0]?.differences).toMatchObject([{ path: 'args.key', drawn: true }])
})

it('is red at the retry, for a retry that is sent with the time of the first try', async () => {
  let tries = 0
  const book = tool('book', { effect: 'write' }, async (_args: { at: string }) => {
    await sleep(5)
    tries += 1
    if (tries === 1) throw new Error('busy')
  })
  const run = await changed(async (isChanged) => {
    const first = new Date().toISOString()
    await book({ at: first }).catch(() => book({ at: isChanged ? first : new Date().toISOString() }))
  })
  expect(told(run)).toBe('input args at step 2')
})

it.each(['id', 'time'] as const)('keeps the order of a call that is sent with an %s drawn for it', async (what) => {
  const run = await changed(async (isChanged) => {
    const writing = send({ first: true })
    if (!isChanged) await writing
    await look({ drawn: what === 'id' ? crypto.randomUUID() : new Date().toISOString() })
    await writing
  })
  expect(told(run)).toBe('order at step 2')
})

it('looks back: an id that stood as recorded cannot be another one later', async () => {
  const run = await changed(async (isChanged) => {
    const session = crypto.randomUUID()
    await look({ session })
    await send({ session: isChanged ? crypto.randomUUID() : session })
  })
  expect(told(run)).toBe('input args at step 2')
})

it('is red for an id that was used once already, though it is the very text that was recorded', async () => {
  const run = await changed(async (isChanged) => {
    if (isChanged) crypto.randomUUID()
    const key = crypto.randomUUID()
    const entry = crypto.randomUUID()
    await look({ key })
    await send({ entry: isChanged ? key : entry })
  })
  expect(told(run)).toBe('input args at step 2')
  // In the recording's ids: what stands there is the key.
  const { key } = recordedArguments(run)
  expect(run.divergences[0]?.differences).toMatchObject([{ path: 'args.entry', received: key }])
})

it.each(['ids', 'times'] as const)('is red for two %s that are swapped beside one more read', async (what) => {
  const read = (): string | number => (what === 'ids' ? crypto.randomUUID() : Date.now())
  const run = await changed(async (isChanged) => {
    const from = read()
    await wait()
    if (isChanged) read()
    const to = read()
    await send(isChanged ? { from: to, to: from } : { from, to })
  })
  expect(told(run)).toBe('input args at step 2')
})

it('is red where a read more stands in a place of its own, though it is the very text that was recorded', async () => {
  const run = await changed(async (isChanged) => {
    const other = isChanged ? crypto.randomUUID() : ''
    const key = crypto.randomUUID()
    await look({ key })
    await send({ key: isChanged ? other : key, amount: 1 })
  })
  expect(told(run)).toBe('input args at step 2')
  const { key } = recordedArguments(run)
  expect(run.divergences[0]?.differences).toEqual([{ path: 'args.key', part: 'args', expected: key, received: `${key} (another read)` }])
})

it('is red for draws in another order, though one of them is the very text that was recorded', async () => {
  const run = await changed(async (isChanged) => {
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()]
    const later = isChanged ? crypto.randomUUID() : one
    await look({ id: later })
    await send({ id: other })
  })
  expect(told(run)).toBe('input args at step 2')
  const [, { id }] = run.trace.steps.map(({ input }) => input as { id: string }) as [unknown, { id: string }]
  expect(run.divergences[0]?.differences).toEqual([{ path: 'args.id', part: 'args', expected: id, received: `${id} (another read)` }])
})

it('is red where a value of one kind stands in the place of another', async () => {
  const run = await changed(async (isChanged) => {
    const id = crypto.randomUUID()
    const nonce = Math.random().toString(36).slice(2)
    await send({ id: isChanged ? nonce : id })
  })
  expect(told(run)).toBe('input args at step 1')
})

it('keeps the unit of a time', async () => {
  const run = await changed(async (isChanged) => {
    if (isChanged) Date.now()
    const at = Date.now()
    await send({ at: isChanged ? Math.floor(at / 1000) : at })
  })
  expect(told(run)).toBe('input args at step 1')
})

it('keeps the form of a time', async () => {
  const run = await changed(async (isChanged) => {
    if (isChanged) Date.now()
    const at = new Date()
    await send({ at: isChanged ? at.toString() : at.toISOString() })
  })
  expect(told(run)).toBe('input args at step 1')
})

it('takes a constant offset for form, and another offset for a change', async () => {
  const agent = async (isChanged: boolean, hours: number): Promise<void> => {
    const first = Date.now()
    await wait()
    // The read that is used is made a step earlier or later.
    const later = isChanged ? first : Date.now()
    await send({ expires: later + hours * 3_600_000, text: new Date(later + hours * 3_600_000).toISOString() })
  }
  expect(told(await changed(async (isChanged) => await agent(isChanged, 1)))).toBe('green')
  expect(told(await changed(async (isChanged) => await agent(isChanged, isChanged ? 2 : 1)))).toBe('input args at step 2')
})

it('is red for a time that was the start of an offset and now stands for another read, too', async () => {
  const run = await changed(async (isChanged) => {
    const issued = Date.now()
    await look({ due: new Date(issued + 14 * 86_400_000).toISOString() })
    await wait()
    await send({ at: isChanged ? issued : Date.now() })
  })
  expect(told(run)).toBe('input args at step 3')
})

it('takes no constant date for a read', async () => {
  const run = await changed(async (isChanged) => {
    const began = Date.now()
    await look({ release: '2026-12-01T00:00:00Z' })
    await wait()
    await send({ at: isChanged ? began : Date.now() })
  })
  // One read hoisted over the other, whose time stands nowhere.
  expect(told(run)).toBe('green')
})

it('is red for two different recorded times made equal', async () => {
  const agent = async (isChanged: boolean): Promise<boolean> => {
    const from = Date.now()
    // Another read of the same moment could stand for the later one.
    const other = Date.now()
    await wait()
    const to = isChanged ? other : Date.now()
    await send({ from, to })
    return from === other
  }
  let recorded = await recordRun(async () => await agent(false))
  // Until both fall in one millisecond.
  while (!recorded.output) recorded = await recordRun(async () => await agent(false))
  expect(told(await replay(recorded.trace, async () => await agent(true)))).toBe('input args at step 2')
})

it('stays green where parallel calls read the time a millisecond apart, beside one more read', async () => {
  const spin = (): void => {
    const until = performance.now() + 2
    while (performance.now() < until);
  }
  const run = await changed(async (isChanged) => {
    if (isChanged) Date.now()
    const calls = ['a', 'b', 'c'].map(async (name) => {
      const call = look({ name, at: Date.now() })
      spin()
      return await call
    })
    await Promise.all(calls)
  })
  expect(told(run)).toBe('green')
  expect(new Set(run.trace.steps.map(({ input }) => (input as { at: number }).at)).size).toBe(3)
})

it('requires the order of draws of one synchronous stretch', async () => {
  const run = await changed(async (isChanged) => {
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()]
    await send(isChanged ? { one: other, other: one } : { one, other })
  })
  expect(told(run)).toBe('input args at step 1')
})

it('lets parallel branches swap their draws', async () => {
  const run = await changed(async (isChanged) => {
    const names = isChanged ? ['b', 'a'] : ['a', 'b']
    await Promise.all(names.map(async (name) => await look({ name, id: crypto.randomUUID() })))
  })
  expect(told(run)).toBe('green')
  expect(run.drawn.map(({ path }) => path)).toEqual(['args.id', 'args.id'])
})

it('lists what was equal only by correspondence: on the run, in the report, with its place', async () => {
  const run = await changed(async (isChanged) => {
    if (isChanged) crypto.randomUUID()
    const id = crypto.randomUUID()
    await send({ id })
    checkpoint('sent', { id })
    return { id }
  })
  const { id: recorded } = recordedArguments(run)
  expect(run.drawn).toEqual([
    { place: { step: 1 }, path: 'args.id', kind: 'id', expected: recorded, received: expect.any(String) },
    { place: { checkpoint: 'sent' }, path: 'state.id', kind: 'id', expected: recorded, received: run.drawn[0]?.received },
    { place: 'outcome', path: 'output.id', kind: 'id', expected: recorded, received: run.drawn[0]?.received },
  ])
  expect(run.drawn[0]?.received).not.toBe(recorded)
  expect(renderDivergences(run, { color: false, width: 200 })).toContain(
    'Note: 1 clock or random value differs from the recorded one and was matched by read order: an id at args.id of step 1 and 2 more places.',
  )
})

it('lists nothing where every value is the recorded one', async () => {
  const run = await changed(async (isChanged) => {
    const at = Date.now()
    await wait()
    if (isChanged) Date.now()
    await send({ at })
  })
  expect(told(run)).toBe('green')
  expect(run.drawn).toEqual([])
})

it('says environment of no date that the run read itself', async () => {
  const run = await changed(async (isChanged) => {
    const from = Date.now()
    await wait()
    const to = Date.now()
    await send(isChanged ? { from: to, to: from } : { from, to })
  })
  expect(told(run)).toBe('input args at step 2')
})

it('knows an id that an answer gave back', async () => {
  const run = await changed(async (isChanged) => {
    if (isChanged) crypto.randomUUID()
    const { id } = await open({ id: crypto.randomUUID() })
    await send({ id })
  })
  expect(told(run)).toBe('green')
})

it('compares checkpoints and the outcome by the same correspondence', async () => {
  const agent = async (isChanged: boolean, where: 'checkpoint' | 'outcome'): Promise<string> => {
    if (isChanged) crypto.randomUUID()
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()]
    await send({ one, other })
    checkpoint('sent', { id: isChanged && where === 'checkpoint' ? other : one })
    return isChanged && where === 'outcome' ? one : other
  }
  expect(told(await changed(async (isChanged) => await agent(isChanged, 'checkpoint')))).toBe('checkpoint after step 1')
  expect(told(await changed(async (isChanged) => await agent(isChanged, 'outcome')))).toBe('outcome after step 1')
})

it('knows ids in headers, in base 36, in base64 and behind other text', async () => {
  const server = createServer((_request, response) => void response.end('{}'))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const run = await changed(async (isChanged) => {
      if (isChanged) {
        crypto.randomUUID()
        Math.random()
        crypto.getRandomValues(new Uint8Array(16))
        Date.now()
      }
      const bytes = Buffer.from(crypto.getRandomValues(new Uint8Array(16)))
      const number = Math.random()
      await fetch(url, {
        method: 'POST',
        headers: { 'idempotency-key': `key_${crypto.randomUUID()}` },
        body: JSON.stringify({
          short: number.toString(36).slice(2, 9),
          hex: bytes.toString('hex'),
          url: `/v1/${bytes.toString('base64url')}/x`,
          text: `line\n${bytes.toString('base64')}\nat ${Date.now().toString(36)}`,
          number,
        }),
      })
    })
    expect(told(run)).toBe('green')
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
})

it('compares two runs, each with draws of its own, in the same way', async () => {
  const agent = async (isChanged: boolean): Promise<void> => {
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()]
    await look({ one })
    await send(isChanged ? { one: other, other: one } : { one, other })
  }
  const [a, b, c] = await Promise.all(
    [false, false, true].map(async (isChanged) => (await recordRun(async () => await agent(isChanged))).trace),
  )
  if (a === undefined || b === undefined || c === undefined) throw new RangeError('three were recorded')
  expect((await compareRuns(a, b)).divergences).toEqual([])
  expect((await compareRuns(a, c)).divergences[0]).toMatchObject({ cause: 'input', step: 2 })
})

/** Records an agent as it was, and replays it changed. */
async function changed(agent: (isChanged: boolean) => Promise<unknown>): Promise<ReplayedRun> {
  const { trace } = await recordRun(async () => await agent(false))
  return await replay(trace, async () => await agent(true))
}

function told({ divergences: [divergence] }: ReplayedRun): string {
  if (divergence === undefined) return 'green'
  return [divergence.cause, ...divergence.parts, divergence.position, 'step', divergence.step].join(' ')
}

/** What the first step was called with when it was recorded. */
function recordedArguments({ trace: { steps } }: ReplayedRun): Record<string, string> {
  return steps[0]?.input as Record<string, string>
}
