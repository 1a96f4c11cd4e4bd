import { expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { external, tool } from '../../src/index.ts'
import { fork, replay, verify } from '../../src/replay.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { ask, asked, setUpAttackedForks, swallowedAnswersCases, testSwallowedAnswers } from '../support/attacked-forks.ts'

setUpAttackedForks()

const quick = { cache: false, clock: 'virtual' } as const

testSwallowedAnswers(swallowedAnswersCases.slice(0, 2))

const talk = (system: string) => async (): Promise<string> => {
  const first = await ask(system, 'one')
  return await ask(system, `about: ${first}`)
}

it('makes no call the second time, even if a redacted answer is sent on', async () => {
  await using directory = await createTemporaryDirectory()
  const { trace } = await recordRun(talk('old'))
  const options = { cache: directory.resolve('cache'), clock: 'virtual', concurrency: 3 } as const
  const first = await verify(trace, talk('new'), options)
  const before = asked
  const second = await verify(trace, talk('new'), options)
  expect(asked).toBe(before)
  expect([first, second]).toMatchObject([
    { verdict: 'held', spent: { cached: 0 } },
    { verdict: 'held', spent: { calls: 0, cached: first.spent.calls } },
  ])
  const forked = { at: { turn: 1 }, then: 'live', ...options } as const
  const [one, other] = [await fork(trace, talk('old'), forked), await fork(trace, talk('old'), forked)]
  expect([other.outcome.status, other.hash]).toEqual(['returned', one.hash])
})

it('keeps to a call budget with any number of concurrent samples, and estimates uncounted tokens', async () => {
  const { trace } = await recordRun(talk('old'))
  const before = asked
  const limited = { at: { turn: 1 }, then: 'live', clock: 'virtual', samples: 8, concurrency: 8, budget: { calls: 2 } } as const
  expect(await fork(trace, talk('old'), limited)).toMatchObject({ spent: { calls: 2 }, usedUp: '2 calls' })
  expect(asked).toBe(before + 2)
  const streaming = (system: string) => async (): Promise<string> => await ask(system, 'one', { stream: true })
  const { trace: streamed } = await recordRun(streaming('old'))
  const guessed = await verify(streamed, streaming('new'), { ...quick, budget: { tokens: 200 } })
  // About 400 characters are sent and received for each.
  expect(guessed.usedUp).toBe('200 tokens')
  expect(guessed.spent.calls).toBeLessThan(10)
})

it('replays a fork of a fork whose request was edited', async () => {
  const { trace } = await recordRun(talk('old'))
  const edited = await fork(trace, talk('old'), { at: { turn: 2 }, edit: { request: { system: 'new' } }, then: 'live', clock: 'virtual' })
  const again = await fork(edited.toTrace(), talk('old'))
  const further = await fork(again.toTrace(), talk('old'), { at: { turn: 2 }, edit: { answer: 'Bye.' } })
  for (const run of [edited, again, further]) expect((await replay(run.toTrace(), talk('old'))).divergences).toEqual([])
  expect(further.outcome).toMatchObject({ output: 'Bye.' })
})

it('makes what a tool does that a route names, and nothing of one that no route names', async () => {
  let booked = 0
  const bank = await listen(async (_request, response) => {
    booked += 1
    response.end('{}')
  })
  const book = tool('book', { effect: 'write' }, async () => (await fetch(bank.url, { method: 'POST' })).text())
  try {
    const agent = async (): Promise<string> => await book()
    const { trace } = await recordRun(agent)
    const before = booked
    const refused = await fork(trace, agent, { at: 1, route: { tool: ['run'] } })
    expect(refused.outcome).toMatchObject({ divergence: { reason: expect.stringContaining(`route: { "book": 'run' }`) } })
    expect(booked).toBe(before)
    expect((await fork(trace, agent, { at: 1, route: { book: 'run' } })).outcome).toMatchObject({ output: '{}' })
    expect(booked).toBe(before + 1)
    await expect(fork(trace, agent, { live: ['127.0.0.1'] } as never)).rejects.toThrow(
      'the option "live" would let every call reach the world',
    )
  } finally {
    await bank.close()
  }
})

it('takes a tool or external without an effect for a write, after an incident', async () => {
  const refund = tool('refund', { effect: 'write' }, async () => {
    throw new Error('timed out')
  })
  const others = { refund_v2: tool('refund_v2', {}, async () => 'ok'), bank: external('bank', async () => 'ok') }
  const agentWith = (again?: keyof typeof others) => async (): Promise<string> => {
    await refund().catch(() => undefined)
    await ask('x', 'failed')
    if (again === undefined) await refund().catch(() => undefined)
    else await others[again]()
    return 'done'
  }
  const { trace } = await recordRun(agentWith())
  const [first, second] = trace.steps.filter(({ name }) => name === 'refund')
  const expectation = { replay: 'departs', trigger: first?.step, at: second?.step }
  const golden = { ...trace, header: { ...trace.header, golden: { name: 'again', expect: expectation, promotedAt: '', promotedFrom: '' } } }
  for (const name of ['refund_v2', 'bank'] as const) {
    const verification = await verify(golden as unknown as Trace, agentWith(name), { ...quick, sandbox: { refund_v2: 'ok', bank: 'ok' } })
    expect(verification).toMatchObject({ verdict: 'not held' })
    expect(verification.causes[0]?.cause).toContain(name)
  }
})

it.each([
  [{ at: 1, edit: { request: { sytem: 'x' } } }, 'the option "sytem" is not known'],
  [{ at: 'tool:x' }, 'the option "at" has to be a step number'],
  [{ at: null }, 'the option "at" has to be a step number'],
  [{ at: {} }, 'the option "at" has to be a step number'],
  [{ route: { refund: 'lve' } }, 'the option "route.refund" has to be'],
  [{ route: { refund: [] } }, 'got none'],
  [{ budget: { calls: -1 } }, 'the option "budget.calls" has to be a number of 0 or more'],
  [{ seed: 'x' }, 'the option "seed" has to be a whole number'],
  [{ allowHost: 'x' }, 'the option "allowHost" has to be a list'],
  [{ standIns: 'sent' }, 'the option "standIns" has to be "send"'],
  [{ cache: 7 }, 'the option "cache" has to be a directory'],
  [{ at: 1, edit: { answer: { toolCalls: [{ name: 'x', arguments: {} }] } } }, 'it has to be { name, args }'],
])('refuses %j', async (options, message) => {
  const { trace } = await recordRun(talk('old'))
  await expect(fork(trace, talk('old'), options as never)).rejects.toThrow(message)
})

it.each([
  [() => 'lve', 'returns has to be'],
  [async () => 'live', 'returns has to be'],
  [
    () => {
      throw new Error('no idea')
    },
    'threw Error: no idea',
  ],
])('says what is wrong with a route that is the function %s', async (rule, message) => {
  const { trace } = await recordRun(talk('old'))
  const { outcome } = await fork(trace, talk('old'), { at: 1, route: { model: rule as never } })
  expect(outcome).toMatchObject({ status: 'stopped', divergence: { reason: expect.stringContaining(message) } })
})

it('refuses an edit of nothing, and arguments of a model', async () => {
  const { trace } = await recordRun(talk('old'))
  const { outcome } = await fork(trace, talk('old'), { at: 1, edit: { request: { arguments: {} } } })
  expect(outcome).toMatchObject({ divergence: { reason: expect.stringContaining(`"arguments" are a tool's`) } })
})

it('replays a fork in which an interval ticks while an answer is on its way', async () => {
  const slow = await listen(async (_request, response) => {
    await new Promise((resolve) => setTimeout(resolve, 60))
    response.end('late')
  })
  try {
    const agent = async (): Promise<number> => {
      let beats = 0
      const interval = setInterval(() => (beats += 1), 10)
      await (await fetch(slow.url)).text()
      clearInterval(interval)
      return beats
    }
    const { trace } = await recordRun(agent)
    for (const options of [{ at: 1 }, { at: 1, then: 'live' }, { at: 1, then: 'live', clock: 'virtual' }] as const) {
      const run = await fork(trace, agent, options)
      const again = await replay(run.toTrace(), agent)
      expect([again.divergences, again.outcome]).toEqual([[], run.outcome])
    }
  } finally {
    await slow.close()
  }
})
