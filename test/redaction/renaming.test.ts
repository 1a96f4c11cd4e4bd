import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import type { RecorderOptions } from '../../src/record/recorder-options.ts'
import { replay } from '../../src/replay/replay.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import type { ReplayOptions } from '../../src/replay/contract/replay-options.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { tool } from '../../src/run/tool.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { readdir } from 'node:fs/promises'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

interface Customers {
  readonly ann: string
  readonly bob: string
}

const customers = { ann: 'ann.lee@firm.de', bob: 'bob.ray@home.uk' }
const support = 'support@shop.example'
const send = tool('send', { effect: 'write' }, async (mail: { to: string; text: string }) => ({ sent: mail.to }))
const lookUp = tool('look_up', {}, async (key: string) => ({ key, owner: `owner of ${key}` }))

const server = await listen(async (_request, response) => void response.end('ok'))
afterAll(() => server.close())

/** Records a run over what the customers are, and reads it. */
async function record<Input>(agent: (input: Input) => unknown, input: Input, options: Partial<RecorderOptions> = {}): Promise<Trace> {
  await using directory = await createTemporaryDirectory()
  const store = directory.resolve('runs')
  const recorder = createRecorder({ store, ...options })
  await recorder.run({ agent: 'mailer', input }, agent)
  await recorder.close()
  const [name = ''] = await readdir(store)
  return await readTrace(directory.resolve('runs', name))
}

async function replayed(trace: Trace, agent: (input: never) => unknown, options: ReplayOptions = {}): Promise<ReplayedRun> {
  return await replay(trace, agent, options)
}

function verdict({ divergences: [first] }: ReplayedRun): object | undefined {
  return first && { cause: first.cause, step: first.step, paths: first.differences.map(({ path }) => path) }
}

it('holds a constant of the code equal to its stand-in, in calls, in checkpoints and in what is returned', async () => {
  const agent = async ({ ann }: Customers): Promise<unknown> => {
    await send({ to: ann, text: `Questions? ${support}` })
    await (await fetch(server.url, { method: 'POST', body: JSON.stringify({ from: support, reply: ann }) })).text()
    checkpoint('sent', { from: support, to: ann })
    return { from: support, to: ann }
  }
  const trace = await record(agent, customers)
  expect(JSON.stringify(trace.rows)).not.toMatch(/support@|ann\.lee/)
  const run = await replayed(trace, agent)
  expect(run.divergences).toEqual([])
  expect(run.hash).toBe(trace.hash)
  expect(run.checkpoints[0]?.state).toEqual(trace.checkpoints[0]?.state)
})

it('knows a constant again in an answer that repeats it', async () => {
  const echo = tool('echo', {}, async (text: string) => `You said: ${text}`)
  const agent = async (): Promise<void> => {
    const first = await echo(`Write to ${support}`)
    // The constant, and beside it the same address as the tool gave it back.
    await echo(`${support} / ${first}`)
  }
  const run = await replayed(await record(agent, {}), agent)
  expect(run.divergences).toEqual([])
})

it('tells two customers changed about, within a call and from call to call', async () => {
  const agent = async ({ ann, bob }: Customers): Promise<void> => {
    await send({ to: ann, text: `Hello ${ann}, ${bob} says hello` })
    await send({ to: bob, text: 'Hello' })
  }
  const trace = await record(agent, customers)
  expect((await replayed(trace, agent)).divergences).toEqual([])
  const swapped = await replayed(trace, async ({ ann, bob }: Customers) => await agent({ ann: bob, bob: ann }))
  expect(verdict(swapped)).toEqual({ cause: 'input', step: 1, paths: ['args.to', 'args.text'] })
  const second = await replayed(trace, async ({ ann, bob }: Customers) => {
    await send({ to: ann, text: `Hello ${ann}, ${bob} says hello` })
    await send({ to: ann, text: 'Hello' })
  })
  expect(verdict(second)).toEqual({ cause: 'input', step: 2, paths: ['args.to'] })
})

it('tells two constants of the code changed about, once they are known', async () => {
  const [first, second] = ['one@shop.example', 'two@shop.example']
  const agent = async (): Promise<void> => {
    await send({ to: first, text: 'a' })
    await send({ to: second, text: 'b' })
    await send({ to: first, text: 'c' })
  }
  const trace = await record(agent, {})
  expect((await replayed(trace, agent)).divergences).toEqual([])
  const changed = await replayed(trace, async () => {
    await send({ to: first, text: 'a' })
    await send({ to: second, text: 'b' })
    await send({ to: second, text: 'c' })
  })
  expect(verdict(changed)).toEqual({ cause: 'input', step: 3, paths: ['args.to'] })
  const one = await replayed(trace, async () => {
    await send({ to: first, text: 'a' })
    await send({ to: first, text: 'b' })
  })
  expect(verdict(one)).toEqual({ cause: 'input', step: 2, paths: ['args.to'] })
})

it('tells a customer who became a constant', async () => {
  const agent = async ({ ann }: Customers): Promise<void> => void (await send({ to: ann, text: 'Hello' }))
  const trace = await record(agent, customers)
  const run = await replayed(trace, async () => void (await send({ to: 'mallory@evil.example', text: 'Hello' })))
  expect(verdict(run)).toEqual({ cause: 'input', step: 1, paths: ['args.to'] })
})

it('never takes a constant for a customer because of its number', async () => {
  const agent = async ({ ann }: Customers): Promise<void> => {
    await lookUp(support)
    await lookUp(ann)
    await lookUp(support)
  }
  const trace = await record(agent, customers)
  expect((await replayed(trace, agent)).divergences).toEqual([])
  const run = await replayed(trace, async ({ ann }: Customers) => {
    await lookUp(support)
    await lookUp(ann)
    await lookUp(ann)
  })
  expect(run.divergences[0]).toMatchObject({ step: 2, position: 'after', cause: 'unexpected-call' })
})

it('gives parallel calls that differ in nothing but customers each its own answer', async () => {
  const order: unknown[] = []
  const agent = async (addresses: readonly string[]): Promise<unknown> => await Promise.all(addresses.map((address) => lookUp(address)))
  const addresses = Array.from({ length: 20 }, (_, index) => `customer.${index}@firm.de`)
  const trace = await record(agent, addresses)
  const run = await replayed(trace, async (given: readonly string[]) => {
    const answers = await agent(given.toReversed())
    order.push(...(answers as { key: string }[]).map(({ key }) => key))
    return (answers as unknown[]).toReversed()
  })
  expect(run.divergences).toEqual([])
  expect(order).toEqual((trace.header.input as string[]).toReversed())
})

it('asks for what is public to be named where the code has what the run was given, too', async () => {
  const agent = async ({ text }: { text: string }): Promise<void> => void (await send({ to: support, text }))
  const input = { text: `I wrote to ${support}` }
  expect(verdict(await replayed(await record(agent, input), agent))).toMatchObject({ cause: 'input', step: 1 })
  const kept = await record(agent, input, { redact: { keep: [support] } })
  expect(kept.header.redaction.keep).toEqual([{ text: support }])
  expect((await replayed(kept, agent)).divergences).toEqual([])
  const pattern = await record(agent, input, { redact: { keep: [/@SHOP\.example$/gi] } })
  expect((await replayed(pattern, agent)).divergences).toEqual([])
})

it('replays with the rules that the trace was recorded with', async () => {
  const agent = async ({ ann }: Customers): Promise<unknown> => {
    await send({ to: ann, text: 'ticket T-1234, customer Ann Lee of Berlin, support@shop.example' })
    return { ann, badge: 'B-77', note: 'ticket T-1234' }
  }
  const names = (text: string): string[] => (text.includes('Ann Lee') ? ['Ann Lee'] : [])
  const redact = {
    off: ['email'],
    rules: [
      { name: 'ticket', pattern: /ticket (?<secret>T-\d+)/ },
      { name: 'badge', path: 'badge' },
      { name: 'names', find: names },
    ],
  }
  const trace = await record(agent, customers, { redact })
  expect(trace.header.redaction).toMatchObject({
    own: [{ name: 'ticket', pattern: 'ticket (?<secret>T-\\d+)' }, { name: 'badge', path: 'badge' }, { name: 'names' }],
  })
  expect(trace.header.redaction.rules).not.toContain('email')
  expect(trace.steps[0]?.input).toEqual({
    to: customers.ann,
    text: 'ticket REDACTED00001, customer Wit Aab of Berlin, support@shop.example',
  })
  expect(trace.end?.output).toEqual({ ann: customers.ann, badge: 'REDACTED00003', note: 'ticket REDACTED00001' })
  const rules = [{ name: 'names', find: names }]
  const run = await replayed(trace, agent, { redact: { rules } })
  expect(run.divergences).toEqual([])
  expect(run.hash).toBe(trace.hash)
  // A function cannot be recorded.
  expect(verdict(await replayed(trace, agent))).toMatchObject({ cause: 'input', step: 1 })
})
