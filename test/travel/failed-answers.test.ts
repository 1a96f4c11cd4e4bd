import http from 'node:http'
import { http as mswHttp, HttpResponse } from 'msw'
import OpenAI from 'openai'
import { expect, it } from 'vitest'
import { tool } from '../../src/index.ts'
import { fork, replay } from '../../src/replay.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { recordRun } from '../support/record-run.ts'

const url = 'http://127.0.0.1:4010/orders'
const host = '127.0.0.1:4010'
const look = tool('look', { effect: 'read' }, async (id: string) => id)

/** What an agent sees of a call that failed: the error and its cause. */
interface Failure {
  readonly name: string
  readonly message: string
  readonly cause?: Failure
  readonly code?: unknown
}

function seen(error: unknown): Failure {
  const { name, message, cause, code } = error as Error & { readonly code?: unknown }
  return { name, message, ...(cause !== undefined && { cause: seen(cause) }), ...(code !== undefined && { code }) }
}

function request(): Promise<unknown> {
  return new Promise((resolve, reject) => {
    http.get(url, (response) => response.resume().on('end', () => resolve(response.statusCode))).on('error', reject)
  })
}

function ask(): Promise<unknown> {
  const client = new OpenAI({ apiKey: 'sk-test', baseURL: `http://${host}/v1`, maxRetries: 0 })
  return client.chat.completions.create({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hello?' }] })
}

/** Makes one call, and returns what the agent sees of its failure. */
function agentOf(call: () => Promise<unknown>): () => Promise<unknown> {
  return async () => {
    await look('a')
    return await call().then(() => 'answered', seen)
  }
}

/** A recording of an agent that gets an answer to the same call. */
async function recordAnswered(call: () => Promise<unknown>): Promise<Trace> {
  const { trace } = await recordRun(agentOf(() => Promise.resolve()))
  const completion = { id: '1', model: 'gpt-4.1', choices: [{ index: 0, message: { role: 'assistant', content: 'Hi!' } }] }
  return (await fork(trace, agentOf(call), { answers: { http: {}, 'openai.chat': completion } })).toTrace()
}

const closed = { name: 'Error', message: 'bank closed', code: 'ECONNRESET' }
const bankClosed = (): Error => Object.assign(new Error('bank closed'), { code: 'ECONNRESET' })

const clients: readonly (readonly [client: string, call: () => Promise<unknown>, name: string, failure: Failure])[] = [
  ['fetch', () => fetch(url), host, { name: 'TypeError', message: 'fetch failed', cause: closed }],
  ['node:http', request, host, closed],
  [
    "a model's client",
    ask,
    'openai.chat',
    { name: 'Error', message: 'Connection error.', cause: { name: 'TypeError', message: 'fetch failed', cause: closed } },
  ],
]

it.each(clients)('fails a call of %s at the step of a fork, as a failed request does', async (_client, call, _name, failure) => {
  const trace = await recordAnswered(call)
  const run = await fork(trace, agentOf(call), { at: 2, edit: { answer: bankClosed() } })
  expect(run.outcome).toEqual({ status: 'returned', output: failure })
  const again = await replay(run.toTrace(), agentOf(call))
  expect([again.divergences, again.outcome]).toEqual([[], run.outcome])
})

it.each(clients)('fails a call of %s that has an error as its answer', async (_client, call, name, failure) => {
  const { trace } = await recordRun(agentOf(() => Promise.resolve()))
  for (const answer of [bankClosed(), () => bankClosed()]) {
    const given = { answers: { [name]: answer } }
    expect((await fork(trace, agentOf(call), given)).outcome).toEqual({ status: 'returned', output: failure })
    const { outcome } = await replay(trace, agentOf(call), given)
    expect(outcome).toEqual({ status: 'returned', output: failure })
  }
})

it('fails a tool with the error itself, which keeps its class', async () => {
  class BankError extends Error {}
  const refund = tool('refund', { effect: 'write' }, async (id: string) => id)
  const agent = (): Promise<unknown> => refund('a').catch((error: unknown) => error instanceof BankError)
  const { trace } = await recordRun(() => look('a'))
  const given = { answers: { refund: new BankError('closed') } }
  for (const { outcome } of [await fork(trace, agent, given), await replay(trace, agent, given)])
    expect(outcome).toEqual({ status: 'returned', output: true })
})

it('takes as long to fail as the recorded answer took', async () => {
  const slow = tool('slow', { effect: 'read' }, () => new Promise((resolve) => void setTimeout(resolve, 80)))
  const agent = async (): Promise<number> => {
    const since = Date.now()
    await slow().catch(() => undefined)
    return Date.now() - since
  }
  const { trace } = await recordRun(agent)
  const run = await fork(trace, agent, { at: 1, edit: { answer: bankClosed() } })
  expect(run.outcome).toMatchObject({ output: expect.closeTo(trace.end?.output as number, -1) })
})

it.each([
  ['a Response.error()', { answers: { [host]: () => Response.error() } }],
  ['a handler that answers by HttpResponse.error()', { handlers: [mswHttp.get(url, () => HttpResponse.error())] }],
])('fails a call that %s answers', async (_what, given) => {
  const { trace } = await recordRun(() => look('a'))
  const run = await fork(
    trace,
    agentOf(() => fetch(url)),
    given,
  )
  expect(run.outcome).toMatchObject({ status: 'returned', output: { name: 'TypeError', message: 'fetch failed' } })
})

const statusAdvice = 'A status is a whole number from 200 to 599. '

it.each<[string, unknown, string]>([
  ['a status above 599', { status: 999, json: {} }, `the status 999. ${statusAdvice}`],
  ['a status that is no whole number', { status: 200.5 }, `the status 200.5. ${statusAdvice}`],
  ['a status below 200', { status: 0 }, `the status 0. ${statusAdvice}`],
  ['a header with a name that no header has', { status: 200, headers: { 'a b': '1' } }, 'the headers {"a b":"1"}: '],
  ['headers that are no object', { status: 200, headers: 'text/plain' }, 'the headers "text/plain". '],
  ['a value that JSON does not have', { status: 200, json: 1n }, 'a value that is not JSON: '],
])('refuses an answer with %s, and says what to give', async (_what, answer, problem) => {
  const { trace } = await recordRun(() => look('a'))
  const call = (): Promise<unknown> => fetch(url)
  await expect(fork(trace, agentOf(call), { answers: { [host]: answer } })).rejects.toThrow(
    `fork: the option "answers" cannot answer ${host} with ${problem}`,
  )
  await expect(fork(await recordAnswered(call), agentOf(call), { at: 2, edit: { answer } })).rejects.toThrow(
    `fork: the option "edit.answer" cannot answer ${host} with ${problem}`,
  )
})
