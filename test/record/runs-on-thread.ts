import { gunzipSync, gzipSync } from 'node:zlib'
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, expect } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { replay } from '../../src/replay/replay.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { tool } from '../../src/run/tool.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { httpRequest } from '../support/http-request.ts'
import { expectClean } from '../support/replay-clean.ts'
import { recordOnThread } from '../support/record-on-thread.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

export const secret = 'sk-proj-a1b2c3d4e5f6g7h8i9j0k1l2'

const server = await listen(async (request, response) => {
  const body = await readBody(request)
  if (request.url === '/gzip') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
    return void response.end(gzipSync('{"packed":true}'))
  }
  if (request.url === '/stream') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let piece = 0; piece < 20; piece += 1) {
      response.write(`data: {"id":"answer_1","choices":[{"index":0,"delta":{"content":"piece ${piece} of it"}}]}\n\n`)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    return void response.end('data: [DONE]\n\n')
  }
  if (request.url === '/bytes') return void response.end(Buffer.from([0, 255, 1, 254]))
  response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'a=b' })
  return void response.end(JSON.stringify({ echo: body.toString(), key: secret }))
})
afterAll(() => server.close())

class OrderError extends Error {
  override readonly name = 'OrderError'
  readonly order = { id: 7n, placed: new Date(0), key: secret }
}

export const look: (order: { id: string }) => Promise<unknown> = tool('look', {}, async (order: { id: string }) => ({
  ...order,
  tags: new Set(['new']),
  bytes: Uint8Array.of(1, 2),
}))
const fail = tool('fail', {}, async () => {
  throw new OrderError(`no order, ${secret}`, { cause: new Error('deeper') })
})
const refund = tool(
  'refund',
  { effect: 'write', idempotencyKey: ({ id }: { id: string }) => `key ${id}` },
  async ({ id }: { id: string }) => id,
)

/** Crosses every boundary. */
export async function agent(input: unknown): Promise<unknown> {
  const said: unknown[] = [Date.now(), Math.random(), randomUUID(), randomBytes(16).toString('hex')]
  const post = async (path: string, body?: string | Uint8Array<ArrayBuffer>): Promise<string> =>
    await (await fetch(`${server.url}${path}`, { method: 'POST', ...(body === undefined ? {} : { body }) })).text()
  said.push(await post('/json', JSON.stringify({ messages: [{ role: 'user', content: `ä \u{1F600} ${secret}` }] })))
  said.push(await post('/json', Uint8Array.of(0xff, 0, 1)), await post('/json', gzipSync('{"a":1}')), await post('/json'))
  said.push(...(await Promise.all([post('/stream'), post('/bytes'), post('/stream')])))
  said.push(gunzipSync((await httpRequest(`${server.url}/gzip`)).body).toString())
  said.push(await look({ id: 'ord_1' }), await fail().catch((error: Error) => error.message), await refund({ id: 'ord_1' }))
  await new Promise((resolve) => setTimeout(resolve, 3))
  checkpoint('done', { said, client: () => undefined })
  return { input, said }
}

async function readAll(directory: string): Promise<Trace[]> {
  const store = createDirectoryStore(directory)
  const stored = await Promise.all((await store.list()).map((id) => store.read(id)))
  return stored.map((recording) => decodeTrace(recording?.text ?? '', recording?.file ?? '', digest))
}

/** Records so many runs at once, and replays what the thread kept of each. */
export async function expectKeptByThread(count: number): Promise<void> {
  await using directory = await createTemporaryDirectory()
  const recorder = await recordOnThread(directory.resolve('runs'), { limits: { sideEffectMilliseconds: 5_000 } })
  const inputs = Array.from({ length: count }, (_, index) => ({ index }))
  const outputs = await Promise.all(inputs.map((input) => recorder.run({ agent: 'agent', input }, agent)))
  // The agents are through, what the thread does is not.
  expect(recorder.stats().waitingBytes).toBeGreaterThan(0)
  expect(recorder.stats()).toMatchObject({ failed: 0, cut: 0 })
  await recorder.close()
  expect(recorder.stats()).toMatchObject({ recorded: count + 1, active: 0, failed: 0, waitingBytes: 0 })
  const traces = (await readAll(directory.resolve('runs'))).filter(({ header }) => header.agent === 'agent')
  expect(traces.map(({ header }) => (header.input as { index: number }).index).toSorted((a, b) => a - b)).toEqual(
    inputs.map(({ index }) => index),
  )
  for (const trace of traces) {
    expect(trace.rows.filter(({ kind }) => kind === 'note')).toEqual([
      expect.objectContaining({
        what: 'repeated-side-effect',
        where: expect.stringContaining('/stream (inferred): step 7 repeats step 5'),
      }),
      expect.objectContaining({ what: 'unkept-value', where: 'checkpoint done.client: a function' }),
    ])
    expect((outputs[(trace.header.input as { index: number }).index] as { input: unknown }).input).toEqual(trace.header.input)
  }
  for (const trace of traces.slice(0, 4)) await expectClean(trace, agent)
  for (const trace of traces) {
    const run = await replay(trace, agent)
    expect([run.divergences, run.hash]).toEqual([[], trace.hash])
  }
}
