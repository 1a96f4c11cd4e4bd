import { afterAll, expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun, type RecordRunOptions } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

/** Answers `/whole` at once, `/pieces` in three pieces, `/empty` with nothing, and `/json` with JSON. */
const server = await listen(async ({ url }, response) => {
  if (url === '/json') response.setHeader('content-type', 'application/json').end('{"order":"ord_1"}')
  else if (url === '/empty') response.end()
  else if (url === '/pieces') {
    for (const piece of ['one ', 'two ', 'three']) {
      response.write(piece)
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    response.end()
  } else response.end('one two three')
})
afterAll(() => server.close())

/** Reads a body into memory of the reader's own, `size` bytes at a time. */
async function readInto(body: ReadableStream<Uint8Array>, size: number): Promise<string> {
  const reader = body.getReader({ mode: 'byob' })
  const pieces: Buffer[] = []
  for (;;) {
    const { done, value } = await reader.read(new Uint8Array(size))
    if (done) return Buffer.concat(pieces).toString()
    pieces.push(Buffer.from(value))
  }
}

const paths = ['/whole', '/pieces', '/empty', '/json']
const sizes = [1, 4, 4096]
const trials = paths.flatMap((path) => sizes.map((size) => [path, size] as const))

it.each(trials)('replays %s for a reader with %i bytes of memory', async (path, size) => {
  const agent = async (asked: string): Promise<unknown> => {
    const response = await fetch(server.url + asked)
    return response.body === null ? 'no body' : await readInto(response.body, size)
  }
  const { trace, output } = await recordRun(() => agent(path))
  expect(output).toBe({ '/whole': 'one two three', '/pieces': 'one two three', '/empty': '', '/json': '{"order":"ord_1"}' }[path])
  await expectClean(trace, () => agent(path))
  const { divergences } = await replay(trace, () => agent('/changed'))
  expect(divergences[0]).toMatchObject({ cause: 'input', step: 1 })
})

it('replays a reader that stops after its first bytes', async () => {
  const agent = async (): Promise<string> => {
    const reader = (await fetch(`${server.url}/whole`)).body?.getReader({ mode: 'byob' })
    const first = await reader?.read(new Uint8Array(3))
    await reader?.cancel()
    return Buffer.from(first?.value ?? []).toString()
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toBe('one')
  await expectClean(trace, agent)
})

it('replays a clone next to its original', async () => {
  const agent = async (): Promise<unknown> => {
    const response = await fetch(`${server.url}/pieces`)
    const copy = response.clone()
    return [await response.text(), await copy.text()]
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual(['one two three', 'one two three'])
  await expectClean(trace, agent)
})

it('hands out a body that can still be read into memory of the reader', async () => {
  const agent = async (): Promise<Response> => await fetch(`${server.url}/pieces`)
  const read: string[] = []
  const consume: RecordRunOptions<undefined>['consume'] = async (response: Response) => {
    if (response.body !== null) read.push(await readInto(response.body, 4))
  }
  const { trace } = await recordRun(agent, { consume })
  expect(read).toEqual(['one two three'])
  await expectClean(trace, agent)
})

it.each<[string, string, (response: Response) => Promise<unknown>]>([
  ['text', '/whole', (response) => response.text()],
  ['json', '/json', (response) => response.json()],
  ['bytes', '/whole', (response) => response.arrayBuffer()],
  ['a stream', '/whole', (response) => readInto(response.body as ReadableStream<Uint8Array>, 5)],
  ['text that came in pieces', '/pieces', (response) => response.text()],
])('takes a body away that has arrived where its fetch is aborted before it is read, as %s', async (_way, path, read) => {
  const agent = async (): Promise<unknown> => {
    const controller = new AbortController()
    const response = await fetch(`${server.url}${path}`, { signal: controller.signal })
    await new Promise((resolve) => void setTimeout(resolve, 50))
    controller.abort()
    return await read(response).then(
      () => 'read',
      (error: Error) => error.name,
    )
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toBe('AbortError')
  await expectClean(trace, agent)
})

it('takes a body away after its first piece, also where the rest has arrived', async () => {
  const agent = async (): Promise<unknown> => {
    const controller = new AbortController()
    const response = await fetch(`${server.url}/whole`, { signal: controller.signal })
    await new Promise((resolve) => void setTimeout(resolve, 50))
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const { value } = await reader.read()
    controller.abort()
    return [Buffer.from(value ?? []).toString(), await reader.read().catch((error: Error) => error.name)]
  }
  const { trace, output } = await recordRun(agent)
  expect(output).toEqual(['one two three', 'AbortError'])
  await expectClean(trace, agent)
})
