import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import type { Recorder } from '../../src/record/recorder-types.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { listTraces } from '../../src/replay/traces/list-traces.ts'
import { withUsage } from '../../src/replay/traces/read-trace.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { tool } from '../../src/run/tool.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import type { HttpInput } from '../../src/trace/rows.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { httpRequest } from '../support/http-request.ts'
import { kindsOf, recordRun, rowsOf } from '../support/record-run.ts'
import { type TemporaryDirectory, createTemporaryDirectory } from '../support/temporary-directory.ts'

const server = await listen(async (request, response) => {
  const body = (await readBody(request)).toString()
  // One is not answered before its recording is read.
  setTimeout(() => response.end(body), body === 'in flight' ? 1000 : 1 + (body.length % 5))
})
afterAll(() => server.close())

const post = async (body: string): Promise<string> => (await fetch(server.url, { method: 'POST', body })).text()

async function readAll(directory: TemporaryDirectory): Promise<Trace[]> {
  const store = createDirectoryStore(directory.resolve('runs'))
  const stored = await Promise.all((await store.list()).map((id) => store.read(id)))
  return stored.map((recording) => decodeTrace(recording?.text ?? '', recording?.file ?? '', digest))
}

async function withRecorder<Output>(body: (recorder: Recorder, directory: TemporaryDirectory) => Promise<Output>): Promise<Output> {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs'), thread: false })
  try {
    return await body(recorder, directory)
  } finally {
    await recorder.close()
  }
}

it('writes a header that says what was run, and where', async () => {
  const { trace } = await recordRun((input: { ticket: string }) => input.ticket, {
    input: { ticket: 'Where is it?' },
    tags: { user: '42' },
  })
  const { id, traceId, startedAt, runtime, redaction, ...header } = trace.header
  expect(header).toEqual({
    kind: 'run',
    format: 3,
    agent: 'agent',
    input: { ticket: 'Where is it?' },
    tags: { user: '42' },
    contracts: { models: [], systemPrompts: [], tools: {} },
    fidelity: 'wire',
  })
  expect(id).toMatch(/^\d{8}-\d{9}-[0-9a-f]{8}$/)
  expect([traceId.length, new Date(startedAt).toISOString()]).toEqual([32, startedAt])
  expect(runtime.node).toBe(process.versions.node)
  expect(redaction.rules).toContain('provider-key')
})

it('records an agent that makes no call', async () => {
  const { trace, output } = await recordRun(() => 'nothing to do')
  expect(output).toBe('nothing to do')
  expect(trace.rows.slice(1)).toEqual([
    { kind: 'end', output: 'nothing to do', at: expect.any(Number) },
    { kind: 'closed', until: (trace.end?.at ?? 0) + 60_000, by: 'done' },
  ])
})

it('records an agent that returns nothing', async () => {
  const { trace } = await recordRun(() => undefined)
  expect(trace.end).toEqual({ kind: 'end', at: expect.any(Number) })
})

it('records an agent that throws before its first call, at once or later', async () => {
  const error = Object.assign(new TypeError('no ticket'), { code: 'E_TICKET' })
  const throwing = [
    (): never => {
      throw error
    },
    async (): Promise<never> => {
      throw error
    },
  ]
  for (const agent of throwing) {
    const { trace, error: thrown } = await recordRun(agent, { fails: true })
    expect(thrown).toBe(error)
    expect(trace.end?.error).toEqual({ name: 'TypeError', message: 'no ticket', code: 'E_TICKET' })
    expect(kindsOf(trace)).toEqual(['end', 'closed'])
  }
})

it('records an agent that throws a value that is not an error', async () => {
  const { trace, error } = await recordRun(() => Promise.reject({ reason: 'tired' }), { fails: true })
  expect(error).toEqual({ reason: 'tired' })
  expect(trace.end?.error).toMatchObject({ value: { reason: 'tired' } })
})

it('ends a recording when the recorder is closed, and records nothing after that', async () => {
  let late: Promise<unknown> | undefined
  const { trace } = await recordRun(() => {
    late = new Promise((resolve) => setTimeout(resolve, 300)).then(async () => [await post('late'), currentRun(), Math.random() < 1])
    return 'early'
  })
  expect(await late).toEqual(['late', undefined, true])
  expect(kindsOf(trace)).toEqual(['end'])
})

it('shows a step that was in flight when the run ended as that', async () => {
  const { trace } = await recordRun(async () => {
    void post('in flight').catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, 0))
  })
  expect(kindsOf(trace)).toEqual(['call 1', 'timer', 'end'])
  expect(trace.steps[0]).not.toHaveProperty('settledAt')
})

it('leaves the tokens of model calls to whoever reads the recording', async () => {
  const { startProvider } = await import('../../examples/world/provider.ts')
  await using provider = await startProvider({ script: [{ text: 'Hello.', usage: { inputTokens: 30, outputTokens: 4 } }] })
  const ask = async (stream: boolean): Promise<string> => {
    const body = JSON.stringify({
      model: 'gpt-4.1',
      stream,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'Hi' }],
    })
    return (
      await fetch(`${provider.openaiBaseUrl}/chat/completions`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    ).text()
  }
  const { trace } = await recordRun(async () => [await ask(false), await ask(true)])
  expect(trace.steps.map(({ boundary, name }) => [boundary, name])).toEqual([
    ['model', 'openai.chat'],
    ['model', 'openai.chat'],
  ])
  expect(trace.end?.usage).toBe(undefined)
  expect(withUsage(trace).end?.usage).toEqual({ inputTokens: 60, outputTokens: 8 })
})

it('keeps fifty runs apart that share one client', async () => {
  const http = await import('node:http')
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 })
  const look = tool('look', {}, async (name: string) => post(`${name} tool`))
  const traces = await withRecorder(async (recorder, directory) => {
    const names = Array.from({ length: 50 }, (_, index) => `run-${index}`)
    const outputs = await Promise.all(
      names.map((name) =>
        recorder.run({ agent: 'agent', input: name }, async (input) => {
          const first = await post(`${input} first`)
          const rest = await Promise.all([
            post(`${input} second`),
            look(input),
            httpRequest(server.url, { method: 'POST', agent, body: [`${input} http`] }),
          ])
          await new Promise((resolve) => setTimeout(resolve, 3))
          return [first, rest[0], rest[1], rest[2].body.toString(), await post(`${input} last`)]
        }),
      ),
    )
    expect(outputs).toEqual(names.map((name) => ['first', 'second', 'tool', 'http', 'last'].map((word) => `${name} ${word}`)))
    await recorder.flush()
    expect(recorder.stats()).toMatchObject({
      recorded: 50,
      watching: 0,
      active: 0,
      failed: 0,
      flagged: 0,
      sampledOut: 0,
      unindexed: 0,
      muted: 0,
      cut: 0,
      waitingBytes: 0,
    })
    return readAll(directory)
  })
  agent.destroy()
  expect(traces).toHaveLength(50)
  for (const trace of traces) {
    const name = String(trace.header.input)
    const bodies = trace.steps
      .filter(({ boundary }) => boundary === 'http')
      .map(({ input, output }) => [(input as HttpInput).text, (output as HttpInput).text])
    expect(bodies.map(([sent]) => String(sent)).toSorted((a, b) => a.localeCompare(b))).toEqual(
      ['first', 'http', 'last', 'second', 'tool'].map((word) => `${name} ${word}`),
    )
    for (const [sent, received] of bodies) expect(received).toBe(sent)
    expect(trace.steps.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6])
    expect(rowsOf(trace, 'timer')).toHaveLength(1)
    expect(trace.steps.every(({ settledAt }) => settledAt !== undefined)).toBe(true)
  }
})

it('counts runs under way', async () => {
  await withRecorder(async (recorder) => {
    const gate = Promise.withResolvers<void>()
    const run = recorder.run({ agent: 'agent', input: 1 }, () => gate.promise)
    expect(recorder.stats()).toMatchObject({
      recorded: 0,
      watching: 0,
      active: 1,
      failed: 0,
      flagged: 0,
      sampledOut: 0,
      unindexed: 0,
      muted: 0,
      cut: 0,
      waitingBytes: 0,
    })
    gate.resolve()
    await run
    expect(recorder.stats()).toMatchObject({ recorded: 0, watching: 1, active: 0 })
    await recorder.flush()
    expect(recorder.stats()).toMatchObject({
      recorded: 1,
      watching: 0,
      active: 0,
      failed: 0,
      flagged: 0,
      sampledOut: 0,
      unindexed: 0,
      muted: 0,
      cut: 0,
      waitingBytes: 0,
    })
  })
})

it('runs an agent unrecorded once it is closed', async () => {
  await withRecorder(async (recorder, directory) => {
    await recorder.run({ agent: 'agent', input: 1 }, () => 1)
    await recorder.close()
    expect(await recorder.run({ agent: 'agent', input: 2 }, async (input) => [input, currentRun(), await post('after')])).toEqual([
      2,
      undefined,
      'after',
    ])
    expect(await readAll(directory)).toHaveLength(1)
  })
})

it('leaves the recording of a run under way as far as it came when it is closed', async () => {
  const [trace] = await withRecorder(async (recorder, directory) => {
    const gate = Promise.withResolvers<void>()
    const look = tool('look', {}, async (name: string) => name)
    const run = recorder.run({ agent: 'agent', input: 1 }, async () => {
      await look('before')
      await gate.promise
      return [await look('after'), await post('after'), currentRun()]
    })
    await new Promise((resolve) => setTimeout(resolve, 5))
    await recorder.close()
    gate.resolve()
    expect(await run).toEqual(['after', 'after', undefined])
    expect(recorder.stats()).toMatchObject({ recorded: 0, active: 0 })
    return readAll(directory)
  })
  // It has no end, so it is known as cut; and it has no tool calls without the HTTP calls between them.
  expect(trace?.end).toBeUndefined()
  expect(trace?.steps.map(({ input }) => input)).toEqual(['before'])
})

it('records a run within a run as part of the outer one', async () => {
  const traces = await withRecorder(async (recorder, directory) => {
    const inner = (input: string): Promise<string> => recorder.run({ agent: 'inner', input }, post)
    expect(await recorder.run({ agent: 'outer', input: 'hello' }, inner)).toBe('hello')
    await recorder.flush()
    return readAll(directory)
  })
  expect(traces.map(({ header, steps }) => [header.agent, steps.length])).toEqual([['outer', 1]])
})

it('keeps its recordings where they began, though an agent changes the working directory', async () => {
  await using directory = await createTemporaryDirectory()
  await using elsewhere = await createTemporaryDirectory()
  const program = `import { createRecorder } from ${JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)}
const recorder = createRecorder({ store: 'runs' })
for (const input of [1, 2, 3]) await recorder.run({ agent: 'mover', input }, () => { if (input === 2) process.chdir(${JSON.stringify(elsewhere.path)}) })
await recorder.close()
`
  execFileSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: directory.path })
  const kept = await listTraces({ store: directory.resolve('runs') })
  expect(kept.map(({ status }) => status)).toEqual(['returned', 'returned', 'returned'])
  expect(readdirSync(elsewhere.path)).not.toContain('runs')
})
