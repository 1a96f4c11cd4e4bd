import OpenAI from 'openai'
import { afterAll, afterEach, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { startProvider } from '../../examples/world/provider.ts'
import type { NormalRequest } from '../../examples/world/normal-request.ts'
import type { Turn } from '../../examples/world/turn.ts'
import { tool } from '../../src/index.ts'
import { compareVerifications, promote, readTrace, verify, type VerifyOptions } from '../../src/replay.ts'
import type { Trace } from '../../src/trace/trace.ts'
// oxlint-disable-next-line import/no-unassigned-import -- registers the matchers
import '../../src/vitest/register-matchers.ts'
import { recordRun } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

/** How the model behaves with each prompt once a refund has timed out. Every answer is counted. */
let asked = 0
let thought = 0
let isDown = false
const HASTY = 'Refund the order.'
const CAREFUL = 'Refund the order. If a refund fails, look for it first.'
const FICKLE = 'Refund the order. Think.'
const provider = await startProvider({
  script(request) {
    asked += 1
    return isDown ? { status: 503, error: { message: 'overloaded' } } : answerOf(request)
  },
})
afterAll(() => provider.close())
afterEach(() => {
  isDown = false
})

function answerOf({ system: [prompt = ''], messages }: NormalRequest): Turn {
  const last = messages.at(-1)
  const usage = { inputTokens: 50, outputTokens: 5 }
  const call = (name: string): Turn => ({ toolCalls: [{ name, args: { order: 'o1' } }], usage })
  if (last?.role !== 'tool') return call('refund')
  if (!last.text.includes('timed out')) return { text: 'Done.', usage }
  const isCareful = prompt === CAREFUL || (prompt === FICKLE && (thought += 1) % 2 === 0)
  return call(isCareful ? 'find_refund' : 'refund')
}

let refunds = 0
const bank = await listen(async (_request, response) => {
  refunds += 1
  response.end('{}')
})
afterAll(() => bank.close())
const openai = new OpenAI({ apiKey: 'sk-test', baseURL: provider.openaiBaseUrl, maxRetries: 0 })

const refund = tool('refund', { effect: 'write' }, async ({ order }: { order: string }) => {
  await fetch(bank.url, { method: 'POST', body: order })
  if (refunds === 1) throw new Error('timed out')
  return { refunded: true }
})
const findRefund = tool('find_refund', { effect: 'read' }, async ({ order }: { order: string }) => {
  throw new Error(`the real find_refund was called for ${order}`)
})
const tools = { refund, find_refund: findRefund } as const

/** An agent whose prompt is the fix. */
const agentWith =
  (prompt: string) =>
  async ({ ticket }: { ticket: string }): Promise<string> => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'system', content: prompt },
      { role: 'user', content: ticket },
    ]
    for (let turn = 0; turn < 6; turn += 1) {
      const { choices } = await openai.chat.completions.create({ model: 'gpt-4.1', messages })
      const message = choices[0]?.message
      if (message === undefined) throw new Error('no answer')
      messages.push(message)
      const call = message.tool_calls?.[0]
      if (call?.type !== 'function') return message.content ?? ''
      const body = tools[call.function.name as keyof typeof tools]
      const result = await body(JSON.parse(call.function.arguments) as { order: string }).catch((error: Error) => error.message)
      messages.push({ role: 'tool', tool_call_id: call.id, content: JSON.stringify(result) })
    }
    return 'gave up'
  }

const { trace: recorded } = await recordRun(agentWith(HASTY), { input: { ticket: 'please refund o1' } })
const { trace: careful } = await recordRun(agentWith(HASTY), { input: { ticket: 'please refund o2' } })
expect(refunds).toBe(3)
await using directory = await createTemporaryDirectory()
const [timedOut, second] = recorded.steps.filter(({ name }) => name === 'refund')
await promote(recorded, {
  name: 'refund-twice',
  directory: directory.path,
  expect: {
    replay: 'departs',
    at: second?.step ?? 0,
    trigger: timedOut?.step ?? 0,
    answers: { find_refund: { found: true } },
    checks: [{ matcher: 'toHaveCalledTool', args: ['find_refund'] }],
  },
})
const golden = await readTrace(directory.resolve('refund-twice.jsonl'))
type Options = VerifyOptions<{ ticket: string }>
const uncached = (options: Options = {}): Options => ({ cache: false, clock: 'virtual', ...options })

it('holds a prompt that fixes, on as few samples as show it, and calls no tool', async () => {
  const before = asked
  const verification = await verify(golden, agentWith(CAREFUL), uncached())
  expect(verification).toMatchObject({ name: 'refund-twice', verdict: 'held', passed: 12, failed: 0, undecided: 0, share: 1, causes: [] })
  // Two answers a sample are live: those behind the refund that timed out. What was running when it was decided counts, too.
  expect(verification.spent).toMatchObject({ calls: asked - before, cached: 0 })
  expect(asked - before).toBeGreaterThanOrEqual(24)
  expect(asked - before).toBeLessThanOrEqual(30)
  expect(verification.samples).toHaveLength(12)
  expect(refunds).toBe(3)
  expect(verification).toPassAtLeast(0.9)
  await expect(verify(golden, agentWith(CAREFUL), uncached())).resolves.toPassAtLeast()
})

it('follows the recorded run without a model until the refund has failed, and says where the agent departs', async () => {
  const { samples, departure } = await verify(golden, agentWith(CAREFUL), uncached())
  const [{ run } = { run: undefined }] = samples
  expect(run?.steps.map(({ name, route }) => [name, route])).toEqual([
    ['openai.chat', undefined],
    ['refund', undefined],
    ['openai.chat', 'live'],
    ['find_refund', 'sandbox'],
    ['openai.chat', 'live'],
  ])
  const third = recorded.steps.filter(({ boundary }) => boundary === 'model')[1]
  expect(departure).toBe(third?.step)
})

it('does not hold a prompt that changes nothing, and names what happened', async () => {
  const verification = await verify(golden, agentWith(`${HASTY} Thanks.`), uncached())
  expect(verification).toMatchObject({
    verdict: 'not held',
    passed: 0,
    causes: [{ cause: 'Repeated the incident: refund.', result: 'failed' }],
  })
  expect(verification.failed).toBeLessThan(6)
  expect(refunds).toBe(3)
  expect(() => expect(verification).toPassAtLeast(0.9)).toThrow(
    /at least 90 % of the samples of "refund-twice" to pass: not held\.[^]*× Repeated the incident: refund\./,
  )
  expect(verification).not.toPassAtLeast(0.9)
})

it('needs no model for an agent that does the same as in the recorded run', async () => {
  const before = asked
  const verification = await verify(golden, agentWith(HASTY), uncached())
  expect(verification).toMatchObject({ verdict: 'not held', samples: [{ result: 'failed' }] })
  expect(verification.departure).toBeUndefined()
  expect(asked).toBe(before)
})

it('counts the share of a prompt that helps sometimes', async () => {
  const verification = await verify(golden, agentWith(FICKLE), uncached({ stopEarly: false, concurrency: 1 }))
  expect(verification.samples).toHaveLength(20)
  // By what the provider answered: every second sample.
  expect(verification).toMatchObject({ verdict: 'not held', passed: 10, failed: 10, share: 0.5 })
  expect(verification.samples.map(({ result }) => result).slice(0, 4)).toEqual(['failed', 'passed', 'failed', 'passed'])
  // Of the 190 pairs of samples, 45 passed both.
  expect(verification.passPower).toContainEqual({ k: 2, probability: expect.closeTo(45 / 190) })
})

it('is undecided while the provider is down, even if the agent swallows it', async () => {
  isDown = true
  const agent = agentWith(CAREFUL)
  const swallowing = async (input: { ticket: string }): Promise<string> => await agent(input).catch(() => 'Done.')
  for (const body of [agent, swallowing]) {
    const verification = await verify(golden, body, uncached({ samples: 6 }))
    expect(verification).toMatchObject({
      verdict: 'undecided',
      passed: 0,
      failed: 0,
      undecided: 6,
      share: 0,
      interval: { low: 0, high: 1 },
    })
    expect(verification.causes).toEqual([{ result: 'undecided', cause: 'The provider of openai.chat failed: status 503.', samples: 6 }])
    expect(() => expect(verification).toPassAtLeast(0.1)).toThrow('undecided')
    expect(() => expect(verification).not.toPassAtLeast(0.1)).toThrow('undecided')
  }
})

it('passes a sample whose provider answered after a retry', async () => {
  const retrying = new OpenAI({ apiKey: 'sk-test', baseURL: provider.openaiBaseUrl, maxRetries: 1 })
  const agent = agentWith(CAREFUL)
  let failures = 0
  const flaky = async (input: { ticket: string }): Promise<string> => {
    const answer = await agent(input)
    isDown = true
    const body = { model: 'gpt-4.1', messages: [{ role: 'user' as const, content: 'bye' }] }
    await retrying.chat.completions.create(body).catch(() => (failures += 1))
    isDown = false
    await retrying.chat.completions.create(body)
    return answer
  }
  const verification = await verify(golden, flaky, uncached({ samples: 2, concurrency: 1 }))
  expect(failures).toBe(2)
  expect(verification).toMatchObject({ passed: 2, undecided: 0 })
})

it('is undecided where a call has no answer, and says which', async () => {
  const { rows, header, ...rest } = golden
  const { answers: _, ...departs } = (header.golden?.expect ?? {}) as { readonly answers?: object }
  const bare = { ...rest, rows, header: { ...header, golden: { ...header.golden, expect: departs } } } as Trace
  const verification = await verify(bare, agentWith(CAREFUL), uncached({ samples: 3 }))
  expect(verification).toMatchObject({ verdict: 'undecided', undecided: 3 })
  expect(verification.causes[0]?.cause).toContain('Stopped at a call of find_refund: The recorded run has no answer')
  expect(await verify(bare, agentWith(CAREFUL), uncached({ sandbox: { find_refund: { found: true } } }))).toMatchObject({ verdict: 'held' })
})

it('makes no call the second time', async () => {
  const cache = directory.resolve('cache')
  const first = await verify(golden, agentWith(CAREFUL), uncached({ cache }))
  const before = asked
  const again = await verify(golden, agentWith(CAREFUL), uncached({ cache }))
  expect(asked).toBe(before)
  expect(again).toMatchObject({ verdict: first.verdict, passed: first.passed, spent: { calls: 0 } })
})

it('stops at the budget, undecided, and needs a price for one in dollars', async () => {
  const { usedUp, ...verification } = await verify(golden, agentWith(CAREFUL), uncached({ budget: { calls: 5 }, concurrency: 1 }))
  expect(verification).toMatchObject({ verdict: 'undecided', passed: 2, spent: { calls: 5 } })
  expect(usedUp).toBe('5 calls')
  const prices = { 'gpt-5': { input: 1, output: 1 } }
  const unpriced = await verify(golden, agentWith(CAREFUL), uncached({ budget: { usd: 1, prices }, samples: 1 }))
  expect(unpriced.causes[0]?.cause).toContain('needs the price of gpt-4.1')
  expect(unpriced.spent.calls).toBe(0)
})

it('judges a plain golden by how it ends and what it writes', async () => {
  // This time the refund worked at once.
  expect(careful.steps.filter(({ boundary }) => boundary === 'tool')).toHaveLength(1)
  expect(await verify(careful, agentWith(CAREFUL), uncached())).toMatchObject({ verdict: 'held', passed: 12 })
  const twice = async (input: { ticket: string }): Promise<string> => {
    await refund({ order: 'o1' }).catch(() => undefined)
    return await agentWith(CAREFUL)(input)
  }
  const sandbox = { refund: { refunded: true } }
  const worse = await verify(careful, twice, uncached({ sandbox }))
  expect(worse.verdict).toBe('not held')
  expect(worse.causes[0]?.cause).toBe('Its side effects are refund, refund; those of the recorded run are refund.')
  expect(refunds).toBe(3)
})

it('judges by the checks that it is given, as data or as a function', async () => {
  const checks = [{ matcher: 'toHaveCalledTool', args: ['find_refund'] }]
  const named = await verify(careful, agentWith(CAREFUL), uncached({ checks }))
  expect(named).toMatchObject({ verdict: 'not held', causes: [{ cause: 'Failed the check toHaveCalledTool("find_refund").' }] })
  const own = await verify(
    careful,
    agentWith(CAREFUL),
    uncached({ check: (run) => expect(run).toHaveOutcome({ status: 'returned', output: 'Over.' }) }),
  )
  expect(own.verdict).toBe('not held')
  expect(own.causes[0]?.cause).toMatch(/^Failed the check: /)
  expect(await verify(careful, agentWith(CAREFUL), uncached({ check: ({ outcome }) => outcome.status === 'returned' }))).toMatchObject({
    verdict: 'held',
  })
})

it('compares two versions from the same step on', async () => {
  const fixed = await verify(golden, agentWith(CAREFUL), uncached({ stopEarly: false }))
  const departAt = fixed.departure ?? 0
  const base = await verify(golden, agentWith(HASTY), uncached({ stopEarly: false, departAt }))
  expect(base).toMatchObject({ passed: 0, failed: 20, departure: departAt })
  expect(base.spent.calls).toBeGreaterThanOrEqual(20)
  const compared = compareVerifications(fixed, base)
  expect(compared).toMatchObject({ difference: 1, verdict: 'better' })
  // Newcombe (1998), method 10, of 20/20 and 0/20: from two Wilson intervals of width 0.1611.
  expect(compared.interval.low).toBeCloseTo(1 - Math.hypot(0.1611, 0.1611), 3)
  expect(compareVerifications(base, fixed).verdict).toBe('worse')
  expect(compareVerifications(fixed, fixed).verdict).toBe('no difference shown')
})

it('keeps samples that replay without a divergence', async () => {
  const { replay } = await import('../../src/replay.ts')
  const { samples } = await verify(golden, agentWith(CAREFUL), uncached({ samples: 2 }))
  const before = asked
  for (const { run } of samples) expect(await replay(run.toTrace(), agentWith(CAREFUL))).toReplayWithoutDivergence()
  expect(asked).toBe(before)
})

it('refuses options that it does not have', async () => {
  await expect(verify(golden, agentWith(CAREFUL), { at: 1 } as never)).rejects.toThrow('verify: the option "at" belongs to `fork`')
  await expect(verify(golden, agentWith(CAREFUL), { atLeast: 2 })).rejects.toThrow('above 0 and at most 1')
  await expect(verify(golden, agentWith(CAREFUL), { samples: 0.5 })).rejects.toThrow('a whole number of 1 or more')
  await expect(verify(golden, agentWith(CAREFUL), { wrong: 1 } as never)).rejects.toThrow('verify: the option "wrong" is not known')
  expect(() => expect('x').toPassAtLeast(0.9)).toThrow('has to be the result of `verify`')
})
