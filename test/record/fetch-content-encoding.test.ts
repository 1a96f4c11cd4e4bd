import { setTimeout as sleep } from 'node:timers/promises'
import zlib from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { recordBeside } from '../support/record-beside.ts'
import { kindsOf, rowsOf } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

const text = JSON.stringify({ text: 'Hello, wörld. '.repeat(50) })

const encoders: Readonly<Record<string, (text: string) => Buffer>> = {
  gzip: (plain) => zlib.gzipSync(plain),
  'x-gzip': (plain) => zlib.gzipSync(plain),
  br: (plain) => zlib.brotliCompressSync(plain),
  deflate: (plain) => zlib.deflateSync(plain),
  zstd: (plain) => zlib.zstdCompressSync(plain),
  'gzip, br': (plain) => zlib.brotliCompressSync(zlib.gzipSync(plain)),
  identity: (plain) => Buffer.from(plain),
  'no-such-coding': (plain) => Buffer.from(Array.from(Buffer.from(plain)).toReversed()),
}

const server = await listen(async (request, response) => {
  const [, kind = '', coding = ''] = decodeURIComponent(request.url ?? '').split('/')
  const encoded = encoders[coding]?.(text) ?? Buffer.alloc(0)
  const length = kind === 'whole' ? { 'content-length': encoded.length } : {}
  response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding, ...length })
  switch (kind) {
    case 'raw':
      return void response.end(zlib.deflateRawSync(text))
    case 'whole':
      return void response.end(encoded)
    case 'cut':
      return void response.end(encoded.subarray(0, 40))
    case 'corrupt':
      return void response.end(Buffer.concat([Buffer.from('no such thing'), encoded]))
    case 'reset':
      response.write(encoded.subarray(0, 40))
      await sleep(10)
      return void response.destroy()
    case 'events': {
      const gzip = zlib.createGzip({ flush: zlib.constants.Z_SYNC_FLUSH })
      gzip.pipe(response)
      for (const event of ['one', 'two', 'three']) {
        gzip.write(event)
        await sleep(5)
      }
      return void gzip.end()
    }
    default:
      return void response.end()
  }
})
afterAll(() => server.close())

const read = async (path: string): Promise<string> =>
  Buffer.from(await (await fetch(`${server.url}${path}`)).arrayBuffer()).toString('latin1')

/** What an agent may see of an answer's head, and of how its body is encoded. */
const headOf = ({ status, headers }: Response): unknown => [status, [...headers].filter(([name]) => name.startsWith('content-'))]

/** Node's fetch decodes zstd from 24 on. */
const zstd = Buffer.from(await read('/whole/zstd'), 'latin1').toString() === text ? ['zstd'] : []

for (const coding of ['gzip', 'x-gzip', 'br', 'deflate', ...zstd, 'gzip, br', 'identity']) {
  it(`hands on an answer in ${coding} as it would have come, and records it decoded`, async () => {
    const { trace, output } = await recordBeside(() => read(`/whole/${encodeURIComponent(coding)}`))
    expect(Buffer.from(output, 'latin1').toString()).toBe(text)
    expect(trace.steps[0]?.output).toMatchObject({ status: 200, json: JSON.parse(text) })
  })
}

it.each([
  ['a body', {}],
  ['none', { method: 'HEAD' }],
])('shows the head of an encoded answer with %s as it came, recorded and replayed', async (_, init) => {
  for (const coding of ['gzip', 'br', 'deflate', ...zstd]) {
    const agent = async (): Promise<unknown> => {
      const response = await fetch(`${server.url}/whole/${coding}`, init)
      return [headOf(response), await response.text()]
    }
    const { trace, output } = await recordBeside(agent)
    expect(JSON.stringify(output)).toContain(`["content-encoding","${coding}"]`)
    await expectClean(trace, agent)
  }
})

it('decodes a deflated answer without a zlib header too', async () => {
  const { trace, output } = await recordBeside(() => read('/raw/deflate'))
  expect(Buffer.from(output, 'latin1').toString()).toBe(text)
  expect(trace.steps[0]?.output).toMatchObject({ json: JSON.parse(text) })
})

it('leaves an answer in an unknown coding as it is', async () => {
  const { output } = await recordBeside(() => read('/whole/no-such-coding'))
  expect(Buffer.from(Array.from(Buffer.from(output, 'latin1')).toReversed()).toString()).toBe(text)
})

it('records a stream in gzip when each piece can be read, not when it arrived', async () => {
  const { trace, output } = await recordBeside(async () => {
    const pieces: string[] = []
    for await (const piece of (await fetch(`${server.url}/events/gzip`)).body ?? []) pieces.push(new TextDecoder().decode(piece))
    return pieces
  })
  expect(output).toEqual(['one', 'two', 'three'])
  expect(rowsOf(trace, 'chunk').map((chunk) => chunk.text)).toEqual(output)
})

it('takes a body that ends early as a fetch does', async () => {
  for (const coding of ['gzip', 'br', 'deflate', ...zstd]) {
    const { trace } = await recordBeside(() => read(`/cut/${coding}`))
    expect(kindsOf(trace).slice(0, 2)).toEqual(['call 1', 'head 1'])
  }
})

it('fails once where a body is in no such coding', async () => {
  for (const coding of ['gzip', 'br', 'deflate', ...zstd]) {
    const { trace, error } = await recordBeside(() => read(`/corrupt/${coding}`))
    expect(error).toMatchObject({ name: 'TypeError', message: 'terminated' })
    expect(kindsOf(trace)).toEqual(['call 1', 'head 1', 'throw 1', 'end', 'closed'])
  }
})

it('fails where the connection is reset within an encoded body', async () => {
  const { trace, error } = await recordBeside(() => read('/reset/gzip'))
  expect(error).toMatchObject({ name: 'TypeError', message: 'terminated', cause: { name: 'SocketError', message: 'other side closed' } })
  expect(kindsOf(trace).at(-3)).toBe('throw 1')
})

it('decodes nothing where there is no body', async () => {
  const { output } = await recordBeside(async () => [
    await (await fetch(`${server.url}/empty/gzip`)).text(),
    await (await fetch(`${server.url}/empty/gzip`, { method: 'HEAD' })).text(),
  ])
  expect(output).toEqual(['', ''])
})
