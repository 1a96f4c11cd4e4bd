import http from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { replay } from '../../src/replay/replay.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { external } from '../../src/run/external.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { collectGarbage } from '../support/collect-garbage.ts'
import { kindsOf, recordRun, rowsOf, startRecorder } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const server = await listen(async (request, response) => {
  await sleep(3)
  response.end(`${request.url}`)
})
afterAll(() => server.close())
const find = external('find', async (id: number): Promise<string> => `row ${id}`)
const get = async (path: string): Promise<string> => (await fetch(`${server.url}${path}`)).text()

/** A plain generator, whose body runs while whoever it was handed to reads. */
async function* tellRows(count: number): AsyncGenerator<string, string> {
  for (let id = 1; id <= count; id += 1) yield `${await find(id)}, ${await get(`/${id}`)}, ${currentRun() !== undefined}`
  return `${count} rows`
}

/** A response that is made while it is read. */
function respond(count: number): Response {
  const rows = tellRows(count)
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await rows.next()
        if (done === true) controller.close()
        else controller.enqueue(encoder.encode(`${value}\n`))
      },
      cancel: () => void rows.return('left'),
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { status: 201, headers: { 'content-type': 'text/plain' } })
}

async function readAll(source: AsyncIterable<unknown>): Promise<unknown[]> {
  const read: unknown[] = []
  for await (const item of source) read.push(item)
  return read
}

const rows = (...ids: number[]): string[] => ids.map((id) => `row ${id}, /${id}, true`)

it('records what happens in the body of a generator, which begins when the agent has returned', async () => {
  let read: unknown[] = []
  const { trace } = await recordRun(() => tellRows(3), {
    consume: async (handed: AsyncIterable<unknown>) => void (read = await readAll(handed)),
  })
  expect(read).toEqual(rows(1, 2, 3))
  expect(trace.steps.map(({ owner, name }) => [owner, name === 'find'])).toEqual(
    [1, 2, 3].flatMap(() => [
      [0, true],
      [0, false],
    ]),
  )
  expect(trace.end?.output).toEqual({ kind: 'iterable', yielded: rows(1, 2, 3), returned: '3 rows' })
  await expectClean(trace, () => tellRows(3))

  // Were a run over when the agent returns, none of this could be seen.
  expect((await replay(trace, () => tellRows(4))).divergences[0]).toMatchObject({ cause: 'unexpected-call', step: 6 })
  expect((await replay(trace, () => tellRows(2))).divergences[0]).toMatchObject({ cause: 'missing-call', step: 5 })
  async function* tellsOther(): AsyncGenerator<string, string> {
    for await (const row of tellRows(3)) yield row.toUpperCase()
    return '3 rows'
  }
  expect((await replay(trace, tellsOther)).divergences).toMatchObject([{ cause: 'outcome' }])
})

it('gives of a generator what it yielded and returned, to whoever reads it by hand', async () => {
  const read: unknown[] = []
  const consume = async (handed: AsyncGenerator<string, string>): Promise<void> => {
    for (let time = 0; time < 3; time += 1) read.push(await handed.next())
  }
  const { trace } = await recordRun(() => tellRows(2), { consume })
  expect(read).toEqual([...rows(1, 2).map((value) => ({ done: false, value })), { done: true, value: '2 rows' }])
  await expectClean(trace, () => tellRows(2))
})

it('reads no further than whoever was handed a generator did', async () => {
  const cleaned: string[] = []
  async function* tells(): AsyncGenerator<string> {
    try {
      yield* tellRows(5)
    } finally {
      cleaned.push(await get('/cleaned'))
    }
  }
  const consume = async (handed: AsyncIterable<string>): Promise<void> => {
    let read = 0
    for await (const _ of handed) if ((read += 1) === 2) break
  }
  const { trace } = await recordRun(tells, { consume })
  expect(trace.end?.output).toEqual({ kind: 'iterable', yielded: rows(1, 2), left: true })
  expect([trace.steps.length, cleaned]).toEqual([5, ['/cleaned']])
  await expectClean(trace, tells)
  expect(cleaned).toEqual(['/cleaned', '/cleaned', '/cleaned'])
})

it('ends in the error that a generator throws', async () => {
  async function* fails(): AsyncGenerator<string> {
    yield await get('/first')
    throw new RangeError('no more')
  }
  const { trace } = await recordRun(fails, { consume: (handed: AsyncIterable<unknown>) => readAll(handed).catch(() => undefined) })
  expect(trace.end?.error).toMatchObject({ name: 'RangeError', message: 'no more' })
  await expectClean(trace, fails)
})

it('records a response until it has been read', async () => {
  let text = ''
  const { trace } = await recordRun(() => respond(3), { consume: async (response: Response) => void (text = await response.text()) })
  expect(text).toBe(`${rows(1, 2, 3).join('\n')}\n`)
  expect(trace.end?.output).toEqual({
    kind: 'response',
    status: 201,
    headers: [['content-type', 'text/plain']],
    yielded: rows(1, 2, 3).map((row) => `${row}\n`),
  })
  await expectClean(trace, () => respond(3))
  expect((await replay(trace, () => respond(4))).divergences[0]).toMatchObject({ cause: 'unexpected-call', step: 6 })
})

it('records a stream until it has been read', async () => {
  const handOut = (): ReadableStream<unknown> => respond(2).body as ReadableStream<unknown>
  const { trace } = await recordRun(handOut, { consume: readAll })
  expect(trace.end?.output).toMatchObject({ kind: 'stream', yielded: rows(1, 2).map((row) => `${row}\n`) })
  await expectClean(trace, handOut)
})

it('lets a client that disconnects while it waits disconnect where it did', async () => {
  await using recorder = await startRecorder()
  const closed: (() => void)[] = []
  const serve = http.createServer((_request, response) => {
    const over = recorder.record(() => respond(50), {
      consume: async (handed: Response) => {
        await pipeline(Readable.fromWeb(handed.body as never), response).catch(() => undefined)
        closed.forEach((close) => close())
        // What the agent does when it is left takes a moment.
        await sleep(30)
      },
    })
    recorded.push(over)
  })
  const recorded: ReturnType<typeof recorder.record>[] = []
  await new Promise<void>((resolve) => serve.listen(0, '127.0.0.1', resolve))
  const address = serve.address() as { port: number }
  const gone = new Promise<void>((resolve) => closed.push(resolve))
  const client = http.get({ port: address.port, host: '127.0.0.1' }, (response) => {
    let pieces = 0
    response.on('data', () => (pieces += 1) === 3 && setTimeout(() => client.destroy(), 1))
  })
  client.on('error', () => undefined)
  await gone
  const { trace } = (await recorded[0]) ?? {}
  serve.close()
  if (trace === undefined) throw new Error('not recorded')
  expect(rowsOf(trace, 'signal').map(({ name }) => name)).toContain('handed-out.leave')
  expect(trace.steps.length).toBeLessThan(20)
  for (let time = 0; time < 10; time += 1) await expectClean(trace, () => respond(50))
})

it('asks for each piece when it was asked for', async () => {
  async function* ticks(): AsyncGenerator<string> {
    let count = 0
    const interval = setInterval(() => (count += 1), 2)
    for (let id = 1; id <= 3; id += 1) yield `${await find(id)} after ${count}`
    clearInterval(interval)
  }
  const consume = async (handed: AsyncIterable<unknown>): Promise<void> => {
    for await (const _ of handed) await sleep(9)
  }
  const { trace } = await recordRun(ticks, { consume })
  expect(rowsOf(trace, 'signal').map(({ name, value }) => [name, value])).toEqual([
    ['handed-out.read', { part: '', count: 2 }],
    ['handed-out.read', { part: '', count: 3 }],
    ['handed-out.read', { part: '', count: 4 }],
  ])
  await expectClean(trace, ticks)
})

it('writes nothing of a reader that keeps up', async () => {
  const { trace } = await recordRun(() => tellRows(20), { consume: readAll })
  expect(kindsOf(trace)).not.toContain('signal')
})

it('records an object that a stream is handed out in, with what else is in it', async () => {
  const handOut = async (): Promise<{ id: string; stream: AsyncIterable<string>; done: Promise<string> }> => {
    const id = await get('/id')
    return { id, stream: tellRows(2), done: Promise.resolve('done') }
  }
  const { trace } = await recordRun(handOut, { consume: ({ stream }: { stream: AsyncIterable<string> }) => readAll(stream) })
  expect(trace.end?.output).toEqual({
    kind: 'object',
    yielded: [],
    parts: [{ name: 'stream', kind: 'iterable', yielded: rows(1, 2), returned: '2 rows' }],
    values: { id: '/id' },
  })
  await expectClean(trace, handOut)
})

it('ends when what was handed out is dropped', { timeout: 20_000 }, async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs') })
  const agents: readonly (() => unknown)[] = [() => tellRows(3), () => respond(3), () => ({ stream: tellRows(3) })]
  for (const agent of agents) await recorder.run({ agent: 'a', input: 1 }, agent)
  expect(recorder.stats()).toMatchObject({ active: 3, recorded: 0 })
  for (let turn = 0; turn < 200 && recorder.stats().active > 0; turn += 1) {
    collectGarbage()
    await sleep(5)
  }
  expect(recorder.stats()).toMatchObject({ active: 0, recorded: 3 })
  await recorder.close()
})

it('ends when a member of what was handed out is dropped with it', { timeout: 20_000 }, async () => {
  await using directory = await createTemporaryDirectory()
  const recorder = createRecorder({ store: directory.resolve('runs') })
  const pieces = (): ReadableStream<string> =>
    new ReadableStream({ pull: (controller) => controller.enqueue('piece') }, { highWaterMark: 0 })
  const readOne = async (): Promise<void> => {
    const { stream } = await recorder.run({ agent: 'a', input: 1 }, () => ({ stream: pieces() }))
    expect(await stream.getReader().read()).toEqual({ done: false, value: 'piece' })
  }
  await readOne()
  expect(recorder.stats()).toMatchObject({ active: 1, recorded: 0 })
  for (let turn = 0; turn < 200 && recorder.stats().recorded === 0; turn += 1) {
    collectGarbage()
    await sleep(5)
  }
  expect(recorder.stats()).toMatchObject({ active: 0, recorded: 1, failed: 0 })
  await recorder.close()
})
