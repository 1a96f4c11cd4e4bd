import { gunzipSync, gzipSync } from 'node:zlib'
import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import { installDoors } from '../../src/boundaries/doors.ts'
import { AmbientAnswers } from '../../src/record/ambient-answers.ts'
import { checkLimits } from '../../src/record/limits.ts'
import type { RunSink } from '../../src/record/raw/raw-entry.ts'
import { RecordingRun } from '../../src/record/recording-run.ts'
import { createRuleSet } from '../../src/redaction/rule-set.ts'
import { SinkOpener } from '../../src/record/sink-opener.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { replay } from '../../src/replay/replay.ts'
import { checkpoint } from '../../src/run/checkpoint.ts'
import { runInScope } from '../../src/run/scope.ts'
import { tool } from '../../src/run/tool.ts'
import { createDirectoryStore, type DirectoryStore } from '../../src/stores/directory-store.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { RunRow } from '../../src/trace/run-row.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { toRecorded } from '../../src/trace/values.ts'
import { httpRequest } from '../support/http-request.ts'
import { readRecording } from '../support/read-recording.ts'
import { expectClean } from '../support/replay-clean.ts'
import { recordOnThread } from '../support/record-on-thread.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const secret = 'sk-proj-a1b2c3d4e5f6g7h8i9j0k1l2'

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

const look = tool('look', {}, async (order: { id: string }) => ({ ...order, tags: new Set(['new']), bytes: Uint8Array.of(1, 2) }))
const fail = tool('fail', {}, async () => {
  throw new OrderError(`no order, ${secret}`, { cause: new Error('deeper') })
})
const refund = tool(
  'refund',
  { effect: 'write', idempotencyKey: ({ id }: { id: string }) => `key ${id}` },
  async ({ id }: { id: string }) => id,
)

/** Crosses every boundary. */
async function agent(input: unknown): Promise<unknown> {
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

function makeHeader(input: unknown): RunRow {
  return {
    kind: 'run',
    format: 1,
    id: '20260101-000000000-00000000',
    traceId: '0'.repeat(32),
    agent: 'agent',
    agentVersion: secret,
    input,
    startedAt: '2026-01-01T00:00:00.000Z',
    runtime: { node: '24.0.0', goldenrun: '0.1.0', timeZone: 'UTC', locale: 'en-US', env: { KEY: secret } },
    contracts: { models: [], systemPrompts: [], tools: {} },
    fidelity: 'wire',
    redaction: { rules: [], standIns: 0 },
  }
}

/** Hands all over twice. */
function both(first: RunSink, second: RunSink): RunSink {
  return {
    take(entry, body) {
      first.take(entry, body)
      second.take(entry, body)
    },
    announce: (call) => [first.announce(call), second.announce(call)].every(Boolean),
    flush: () => [first.flush(), second.flush()].every(Boolean),
    close: (onClosed) => first.close((failure) => second.close((other) => onClosed(failure ?? other))),
  }
}

async function readAll(directory: string): Promise<Trace[]> {
  const store = createDirectoryStore(directory)
  const stored = await Promise.all((await store.list()).map((id) => store.read(id)))
  return stored.map((recording) => decodeTrace(recording?.text ?? '', recording?.file ?? '', digest))
}

it('makes the same rows of a run on its thread as on the agent’s', async () => {
  await using directory = await createTemporaryDirectory()
  const warm = await recordOnThread(directory.resolve('warm'))
  const header = makeHeader({ customer: `Ada, ${secret}` })
  const redact = { rules: [{ name: 'piece', pattern: /piece 1\d/ }], draws: 'stand-in' } as const
  const ruleSet = createRuleSet(redact)
  const limits = { ...checkLimits('test'), sideEffectMilliseconds: 5_000 }
  const opener = (store: DirectoryStore, thread: boolean): SinkOpener =>
    new SinkOpener({ store, directory: store.directory, ruleSet, redact, limits, thread, asks: false, onStoreFailure: () => undefined })
  const inlineStore = createDirectoryStore(directory.resolve('inline'))
  const recorded = { ...header, input: toRecorded(header.input) }
  const threaded = opener(createDirectoryStore(directory.resolve('thread')), true)
  const inline = opener(inlineStore, false)
  const sink = both(threaded.open(recorded), inline.open(recorded))
  const policy = {
    mutes: () => false,
    ambient: new AmbientAnswers([], () => undefined),
    standsInForDraws: true,
    limits,
    onCut: () => undefined,
  }
  const run = new RecordingRun(header, sink, policy)
  const release = installDoors()
  const output = await runInScope({ run, owner: 0 }, () => agent(header.input))
  run.end({ output })
  const closed = await new Promise((resolve) => sink.close(resolve))
  release()
  expect([closed, run.failure]).toEqual([{ isKept: true }, undefined])
  // That a batch was written is told a moment after that a run in it was.
  await expect.poll(() => threaded.waitingBytes).toBeLessThan(200)
  const [a, b] = [await readRecording(directory.resolve('thread')), await readRecording(directory.resolve('inline'))]
  expect(a.text).toBe(b.text)
  expect(a.text).not.toContain(secret.slice(3))
  const trace = decodeTrace(a.text, a.file, digest)
  expect(trace.hash).toBe(decodeTrace(b.text, b.file, digest).hash)
  expect(trace.steps.length).toBe(11)
  expect(Object.keys(trace.end?.output as object)).toEqual(Object.keys(output as object))
  await inlineStore.flush()
  await threaded.close()
  await warm.close()
})

it('replays what the thread kept of sixty-four runs at once', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = await recordOnThread(directory.resolve('runs'), { limits: { sideEffectMilliseconds: 5_000 } })
  const inputs = Array.from({ length: 64 }, (_, index) => ({ index }))
  const outputs = await Promise.all(inputs.map((input) => recorder.run({ agent: 'agent', input }, agent)))
  // The agents are through, what the thread does is not.
  expect(recorder.stats().waitingBytes).toBeGreaterThan(0)
  expect(recorder.stats()).toMatchObject({ failed: 0, cut: 0 })
  await recorder.close()
  expect(recorder.stats()).toMatchObject({ recorded: 65, active: 0, failed: 0, waitingBytes: 0 })
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
}, 120_000)

it('writes the call of a side effect before it is made', async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = await recordOnThread(directory.resolve('runs'), { limits: { sideEffectMilliseconds: 5_000 } })
  const store = createDirectoryStore(directory.resolve('runs'))
  const peek = tool('peek', { effect: 'write' }, async () => {
    const ids = await store.list()
    const stored = await store.read(ids.at(-1) ?? '')
    return decodeTrace(stored?.text ?? '', 'peek', digest).steps.map(({ name, output }) => [name, output])
  })
  expect(await recorder.run({ agent: 'agent', input: 1 }, () => peek())).toEqual([['peek', undefined]])
  await recorder.close()
})

it('keeps runs on the agent’s thread where a rule is a function, and where it is told to', async () => {
  await using directory = await createTemporaryDirectory()
  for (const options of [{ thread: false }, { redact: { rules: [{ name: 'own', find: () => ['ord_1'] }] } }]) {
    const recorder = await recordOnThread(directory.resolve('runs'), options)
    await recorder.run({ agent: 'agent', input: 1 }, () => look({ id: 'ord_1' }))
    await recorder.flush()
    expect(recorder.stats()).toMatchObject({ recorded: 2, waitingBytes: 0 })
    await recorder.close()
  }
})
