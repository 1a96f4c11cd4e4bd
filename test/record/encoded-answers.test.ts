import crypto from 'node:crypto'
import http, { type IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { request as undiciRequest } from 'undici'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { readBody } from '../../examples/world/read-body.ts'
import { replay } from '../../src/replay/replay.ts'
import { httpRequest } from '../support/http-request.ts'
import { describeError, recordBeside } from '../support/record-beside.ts'
import { recordRun, rowsOf } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

const secret = 'sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6'
const text = JSON.stringify({ key: secret, text: 'Hello, wörld. '.repeat(50) })

const codings = ['gzip', 'br', 'deflate', 'zstd', 'gzip, br'] as const
type Coding = (typeof codings)[number]

const encoders: Readonly<Record<Coding, (text: string) => Buffer>> = {
  gzip: (plain) => zlib.gzipSync(plain),
  br: (plain) => zlib.brotliCompressSync(plain),
  deflate: (plain) => zlib.deflateSync(plain),
  zstd: (plain) => zlib.zstdCompressSync(plain),
  'gzip, br': (plain) => zlib.brotliCompressSync(zlib.gzipSync(plain)),
}

const decoders: Readonly<Record<Coding, (bytes: Uint8Array) => Buffer>> = {
  gzip: (bytes) => zlib.gunzipSync(bytes),
  br: (bytes) => zlib.brotliDecompressSync(bytes),
  deflate: (bytes) => zlib.inflateSync(bytes),
  zstd: (bytes) => zlib.zstdDecompressSync(bytes),
  'gzip, br': (bytes) => zlib.gunzipSync(zlib.brotliDecompressSync(bytes)),
}

/** What a stream says, piece by piece. */
const parts = ['data: one\n\n', 'data: two\n\n', 'data: three\n\n']

/** Each piece as it is sent, and what ends the encoding. */
const encodedParts: Readonly<Record<Coding, Buffer[]>> = {
  gzip: await encodeEach(parts, zlib.createGzip({ flush: zlib.constants.Z_SYNC_FLUSH })),
  br: await encodeEach(parts, zlib.createBrotliCompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH })),
  deflate: await encodeEach(parts, zlib.createDeflate({ flush: zlib.constants.Z_SYNC_FLUSH })),
  zstd: await encodeEach(parts, zlib.createZstdCompress({ flush: zlib.constants.ZSTD_e_flush })),
  'gzip, br': await encodeEach(
    await encodeEach(parts, zlib.createGzip({ flush: zlib.constants.Z_SYNC_FLUSH })),
    zlib.createBrotliCompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH }),
  ),
}

async function encodeEach(pieces: readonly (string | Buffer)[], encoder: Transform): Promise<Buffer[]> {
  const came: Buffer[] = []
  encoder.on('data', (bytes: Buffer) => came.push(bytes))
  const encoded: Buffer[] = []
  for (const piece of pieces) {
    await new Promise((resolve) => encoder.write(piece, resolve))
    encoded.push(Buffer.concat(came.splice(0)))
  }
  await new Promise((resolve) => encoder.once('end', resolve).end())
  return [...encoded, Buffer.concat(came)]
}

const received: string[] = []
/** How many pieces of a stream the agent has read. */
let heard = 0

const server = await listen(async (request, response) => {
  const [, kind, coding] = decodeURIComponent(request.url ?? '').split('/') as [string, string, Coding]
  const sent = await readBody(request)
  response.writeHead(200, { 'content-type': 'application/json', ...(kind === 'upload' ? {} : { 'content-encoding': coding }) })
  const encoded = encoders[coding](text)
  switch (kind) {
    case 'whole':
      return void response.end(encoded)
    case 'nothing':
      return void response.end(encoders[coding](''))
    case 'plain':
      return void response.end('This is no such thing.')
    case 'broken':
      response.write(encoded.subarray(0, encoded.length >> 1))
      await sleep(5)
      return void response.end(Buffer.alloc(100, 0xff))
    case 'cut':
      response.write(encoded.subarray(0, encoded.length >> 1))
      await sleep(5)
      return void response.end(encoded.subarray(encoded.length >> 1, -1))
    case 'behind':
      response.write(encoded)
      await sleep(5)
      return void response.end(Buffer.alloc(100, 0xff))
    case 'trailing':
      return void response.end(Buffer.concat([encoded, Buffer.from('behind the end')]))
    case 'reset':
      response.write(encoded.subarray(0, encoded.length >> 1))
      await sleep(5)
      return void response.destroy()
    case 'events': {
      const gzip = zlib.createGzip({ flush: zlib.constants.Z_SYNC_FLUSH })
      gzip.pipe(response)
      const events = [`data: ${secret.slice(0, 20)}`, `${secret.slice(20)}\n\n`, 'data: last\n\n']
      heard = 0
      for (const [index, event] of events.entries()) {
        gzip.write(event)
        // Each arrives alone, however busy the machine is.
        const isHeard = (): boolean => heard > index || response.destroyed
        while (!isHeard()) await sleep(1)
      }
      return void gzip.end()
    }
    case 'pieces': {
      heard = 0
      for (const [index, piece] of encodedParts[coding].entries()) {
        response.write(piece)
        const isHeard = (): boolean => heard > index || response.destroyed
        while (!isHeard()) await sleep(1)
      }
      return void response.end()
    }
    case 'upload':
      received.push(zlib.gunzipSync(sent).toString())
      return void response.end('thanks')
    default:
      return void response.end()
  }
})
afterAll(() => server.close())

const addressOf = (kind: string, coding: string): string => `${server.url}/${kind}/${encodeURIComponent(coding)}`

/** Clients that leave an answer encoded. */
const clientNames = ['http.request', 'undici.request'] as const

/** What an agent reads through each of them. */
const clients: Readonly<
  Record<(typeof clientNames)[number], (url: string) => Promise<{ readonly coding: unknown; readonly body: Uint8Array }>>
> = {
  async 'http.request'(url) {
    const { headers, body } = await httpRequest(url)
    return { coding: headers['content-encoding'], body }
  },
  async 'undici.request'(url) {
    const { headers, body } = await undiciRequest(url)
    return { coding: headers['content-encoding'], body: await body.bytes() }
  },
}
const trials = clientNames.flatMap((client) => codings.map((coding) => [client, coding] as const))

it.each(trials)('keeps a secret off the disk that %s read in %s, and answers in it again', async (client, coding) => {
  const agent = async (): Promise<unknown> => {
    const answer = await clients[client](addressOf('whole', coding))
    return [answer.coding, decoders[coding](answer.body).toString()]
  }
  const { trace, text: file, output } = await recordBeside(agent)
  expect(output).toEqual([coding, text])
  expect(file).not.toContain(secret)
  expect(JSON.stringify(trace.end?.output)).not.toContain(secret)
  const kept = trace.steps[0]?.output as { readonly json: { readonly text: string; readonly key: string } }
  expect(kept.json).toEqual({ text: 'Hello, wörld. '.repeat(50), key: expect.not.stringContaining(secret) as string })
  // The replay's output is the recorded one, in which the key is the same stand-in.
  await expectClean(trace, agent)
})

it('keeps the pieces of a stream in gzip as they came, and a secret that stands across two of them off the disk', async () => {
  // Of the pieces only the lengths: parts of a secret would be in what the agent returns.
  const agent = async (): Promise<number[]> => {
    const gunzip = zlib.createGunzip({ flush: zlib.constants.Z_SYNC_FLUSH })
    const pieces: number[] = []
    const response = await new Promise<IncomingMessage>((resolve) => http.get(addressOf('events', 'gzip'), resolve))
    for await (const piece of response.pipe(gunzip)) {
      pieces.push(String(piece).length)
      heard += 1
    }
    return pieces
  }
  const { trace, text: file, output } = await recordBeside(agent)
  expect(output).toEqual([26, 22, 12])
  expect(file).not.toContain(secret.slice(8, 20))
  // The last one is what ends the encoding.
  expect(rowsOf(trace, 'chunk').map((chunk) => chunk.text?.length)).toEqual([26, 22, 12, 0])
  await expectClean(trace, agent)
})

it.each(codings)('keeps what each piece in %s stands for where the thread pool has not come to it when the run ends', async (coding) => {
  const busy: Promise<unknown>[] = []
  const agent = async (): Promise<number> => {
    const response = await new Promise<IncomingMessage>((resolve) => http.get(addressOf('pieces', coding), resolve))
    for (let count = 0; count < 8; count += 1) busy.push(promisify(crypto.pbkdf2)('password', 'salt', 200_000, 32, 'sha256'))
    for await (const piece of response) heard += piece.length > 0 ? 1 : 0
    return heard
  }
  const { trace } = await recordRun(agent)
  await Promise.all(busy)
  const texts = rowsOf(trace, 'chunk').map((chunk) => chunk.text ?? '')
  expect(texts.slice(0, 3)).toEqual(parts)
  expect(texts.join('')).toBe(parts.join(''))
})

it.each(codings)('keeps what came in %s of an answer whose reader is through before it is decoded', async (coding) => {
  const agent = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const request = http.get(addressOf('whole', coding), (response) => response.once('data', () => resolve(response.statusCode ?? 0)))
      request.on('error', reject)
    })
  const { trace, text: file } = await recordRun(agent)
  expect(
    rowsOf(trace, 'chunk')
      .map((chunk) => chunk.text ?? '')
      .join(''),
  ).toHaveLength(text.length)
  expect(file).not.toContain(secret)
  await expectClean(trace, agent)
})

it.each(['plain', 'broken', 'cut', 'trailing', 'behind', 'reset', 'nothing', 'empty'])(
  'replays an answer whose encoded body is %s',
  async (kind) => {
    for (const client of clientNames) {
      for (const coding of codings) {
        const agent = async (): Promise<unknown> => {
          const settled = await clients[client](addressOf(kind, coding)).catch((error: unknown) => ({ error: describeError(error) }))
          if ('error' in settled) return settled
          if (kind === 'plain') return [settled.coding, Buffer.from(settled.body).toString()]
          if (settled.body.length === 0) return [settled.coding, 'no body']
          try {
            return [settled.coding, decoders[coding](settled.body).toString()]
          } catch {
            return [settled.coding, 'not decoded']
          }
        }
        const { trace } = await recordBeside(agent)
        await expectClean(trace, agent)
      }
    }
  },
)

it('says of a chunk that is in no such coding that it is as it came', async () => {
  const { trace } = await recordRun(() => httpRequest(addressOf('plain', 'gzip')).then(({ body }) => body.length))
  expect(rowsOf(trace, 'chunk')).toMatchObject([{ bytes: new Uint8Array(Buffer.from('This is no such thing.')), encoded: true }])
})

it('fails a fetch where the recording has a body in no such coding', async () => {
  const { trace } = await recordRun(async () => (await httpRequest(addressOf('plain', 'gzip'))).body.toString())
  const byFetch = async (): Promise<string> => (await fetch(addressOf('plain', 'gzip'))).text().catch((error: Error) => error.message)
  const { outcome } = await replay(trace, byFetch)
  expect(outcome).toEqual({ status: 'returned', output: 'terminated' })
})

it('gives a fetch all of a body that ends before its encoding does, as fetch takes it', async () => {
  const { trace } = await recordRun(async () => (await httpRequest(addressOf('cut', 'gzip'))).body.length)
  const byFetch = async (): Promise<string> => (await fetch(addressOf('cut', 'gzip'))).text()
  const { outcome } = await replay(trace, byFetch)
  expect(outcome).toEqual({ status: 'returned', output: expect.stringContaining('Hello, wörld.') as string })
  expect(await byFetch()).toContain('Hello, wörld.')
})

it('keeps a secret off the disk that is sent in gzip, and compares what was meant', async () => {
  const upload = (level: number) => async (): Promise<string> => {
    const body = zlib.gzipSync(text, { level })
    const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
    const { body: answer } = await httpRequest(addressOf('upload', 'gzip'), { method: 'POST', headers, body: [body] })
    const { body: other } = await undiciRequest(addressOf('upload', 'gzip'), { method: 'POST', headers, body })
    return answer.toString() + (await other.text())
  }
  const { trace, text: file } = await recordBeside(upload(9))
  expect(received).toEqual([text, text, text, text])
  expect(file).not.toContain(secret)
  expect(trace.steps.map(({ input }) => (input as { json?: { text: string } }).json?.text)).toEqual(
    Array(2).fill('Hello, wörld. '.repeat(50)),
  )
  await expectClean(trace, upload(1))
})
