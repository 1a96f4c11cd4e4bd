import type { IncomingMessage, ServerResponse } from 'node:http'
import OpenAI from 'openai'
import { listen } from '../../examples/world/listen.ts'
import { renderReport } from '../../src/divergence/create-report.ts'
import { judgeGolden } from '../../src/matchers/judge-golden.ts'
import type { Verdict } from '../../src/matchers/holds.ts'
import { expectDeparture, type IncidentOptions } from '../../src/replay/goldens/promotion/expect-departure.ts'
import { toGolden } from '../../src/replay/goldens/promotion/to-golden.ts'
import type { ReplayedRun } from '../../src/replay/contract/replayed-run.ts'
import { tool } from '../../src/run/tool.ts'
import { readTraceText } from '../../src/replay/traces/read-trace-text.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'

/** The shop's servers: a model that has a refund made, and an API whose first refund dies after it was booked. */
async function startShop(): Promise<{ readonly url: string; readonly refunds: () => number; close(): Promise<void> }> {
  let turn = 0
  let refunds = 0
  const server = await listen(async (request: IncomingMessage, response: ServerResponse) => {
    for await (const _ of request);
    if (request.url === '/v1/chat/completions') return reply(response, completion(turn++))
    if (request.method === 'GET') return reply(response, { id: 'ord_1', total: 4900 })
    refunds += 1
    if (refunds === 1) return void response.destroy()
    reply(response, { id: `re_${refunds}` })
  })
  return { url: server.url, refunds: () => refunds, close: () => server.close() }
}

function reply(response: ServerResponse, body: object): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(body))
}

function completion(turn: number): object {
  const message =
    turn === 0
      ? {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'refund', arguments: '{}' } }],
        }
      : { role: 'assistant', content: 'Your money is on its way.' }
  return {
    id: `c_${turn}`,
    object: 'chat.completion',
    created: 1,
    model: 'gpt-4.1',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
  }
}

/** What the agent may do differently. */
export interface Habits {
  readonly prompt?: string
  readonly model?: string
  /** Where the order is read. */
  readonly path?: string
  /** Reads before the order's. */
  readonly reads?: readonly string[]
  readonly amount?: number
  /** A header of refunds: the key by the try, 1 for the first. */
  readonly key?: (nth: number) => string | undefined
  /** What is done when a refund failed. Default: it is made again. */
  readonly failed?: (again: () => Promise<unknown>, tools: Tools) => Promise<unknown>
  /** What is done at the end. */
  readonly last?: (tools: Tools) => unknown
}

/** What the agent can do. */
export interface Tools {
  readonly refund: (args: { amount: number }) => Promise<unknown>
  readonly find: (args: object) => Promise<unknown>
  readonly note: (args: object) => Promise<unknown>
}

/** The support agent of a shop: it asks the model, reads the order, refunds, and asks the model again. */
export function createDesk(url: string, habits: Habits = {}): () => Promise<unknown> {
  const { prompt = 'Be friendly.', model = 'gpt-4.1', path = '/orders/ord_1', reads = [], amount = 4900 } = habits
  const { key = () => undefined, failed = (again) => again(), last = () => undefined } = habits
  return async () => {
    const client = new OpenAI({ apiKey: 'sk-test', baseURL: `${url}/v1`, maxRetries: 0 })
    let nth = 0
    const tools: Tools = {
      refund: tool('refund', { effect: 'write' }, async (args: { amount: number }) => {
        nth += 1
        const header = key(nth)
        const headers = { 'content-type': 'application/json', ...(header !== undefined && { 'idempotency-key': header }) }
        return (await fetch(`${url}/refunds`, { method: 'POST', headers, body: JSON.stringify(args) })).json()
      }),
      find: tool('find', { effect: 'read' }, async (args: object) => args),
      note: tool('note', { effect: 'write' }, async (args: object) => args),
    }
    const system = { role: 'system', content: prompt } as const
    const first = await client.chat.completions.create({ model, messages: [system] })
    for (const read of reads) await (await fetch(url + read)).json()
    await (await fetch(url + path)).json()
    const refunded = await tools.refund({ amount }).catch(() => failed(() => tools.refund({ amount }), tools))
    const told = { role: 'user', content: `${first.id}: ${JSON.stringify(refunded)}` } as const
    const answer = await client.chat.completions.create({ model, messages: [system, told] })
    await last(tools)
    return answer.choices[0]?.message.content
  }
}

/** A golden of the double refund, and its judge. */
export interface Incident {
  readonly trace: Trace
  readonly golden: Trace
  /** Where the shop was. */
  readonly url: string
  judge(habits?: Habits): Promise<Judged>
  judgeAgent(agent: () => Promise<unknown>): Promise<Judged>
}

/** What a golden says of an agent. */
export interface Judged {
  readonly word: string
  readonly run: ReplayedRun
  readonly verdict: Verdict
  readonly report: string
}

/** Records the incident, and makes a golden of it. @param options Given the recorded trace. */
export async function recordIncident(options: (trace: Trace) => IncidentOptions = () => ({}), recorded: Habits = {}): Promise<Incident> {
  const shop = await startShop()
  const { trace } = await recordRun(createDesk(shop.url, recorded))
  await shop.close()
  if (shop.refunds() !== 2) throw new Error(`The shop booked ${shop.refunds()} refunds.`)
  const expectation = expectDeparture(trace, options(trace))
  const { text } = toGolden(trace, { name: 'refund-twice', expect: expectation, promotedAt: '2026-11-23T00:00:00.000Z' })
  const golden = await readTraceText(text, 'refund-twice')
  const judgeAgent = async (agent: () => Promise<unknown>): Promise<Judged> => {
    const { run, verdict } = await judgeGolden(golden, agent)
    const incident = 'incident' in verdict ? verdict.incident : undefined
    const report = renderReport(run, { color: false, width: 200, ...(incident && { incident }) })
    return { run, verdict, word: verdict.holds ? 'held' : verdict.why, report }
  }
  return { trace, golden, url: shop.url, judge: (habits) => judgeAgent(createDesk(shop.url, habits)), judgeAgent }
}

/** The number of the nth step of a name, 1 for the first. */
export function stepOf({ steps }: Trace, name: string, nth = 1): number {
  const found = steps.filter((step) => step.name === name)[nth - 1]
  if (found === undefined) throw new Error(`There is no ${nth}. ${name}.`)
  return found.step
}
