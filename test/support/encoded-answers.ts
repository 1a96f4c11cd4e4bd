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
import { httpRequest } from './http-request.ts'
import { describeError, recordBeside } from './record-beside.ts'
import { recordRun, rowsOf } from './record-run.ts'
import { expectClean } from './replay-clean.ts'

export const secret = 'sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6'

export const text: string = JSON.stringify({ key: secret, text: 'Hello, wörld. '.repeat(50) })

export const codings = ['gzip', 'br', 'deflate', 'zstd', 'gzip, br'] as const

type Coding = (typeof codings)[number]

const encoders: Readonly<Record<Coding, (text: string) => Buffer>> = {
  gzip: (plain) => zlib.gzipSync(plain),
  br: (plain) => zlib.brotliCompressSync(plain),
  deflate: (plain) => zlib.deflateSync(plain),
  zstd: (plain) => zlib.zstdCompressSync(plain),
  'gzip, br': (plain) => zlib.brotliCompressSync(zlib.gzipSync(plain)),
}

export const decoders: Readonly<Record<Coding, (bytes: Uint8Array) => Buffer>> = {
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

export const received: string[] = []

/** How many pieces of a stream the agent has read. */
let heard = 0

/** The agent has read one more. */
export const hear = (): number => (heard += 1)

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

export const addressOf = (kind: string, coding: string): string => `${server.url}/${kind}/${encodeURIComponent(coding)}`

/** Clients that leave an answer encoded. */
export const clientNames = ['http.request', 'undici.request'] as const

/** What an agent reads through each of them. */
export const clients: Readonly<
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

/** Tests that pieces are kept whose decoding comes late. */
export function testThreadPool(cases: readonly (typeof codings)[number][]): void {
  it.each(cases)('keeps what each piece in %s stands for where the thread pool has not come to it when the run ends', async (coding) => {
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
}

const kinds = ['plain', 'broken', 'cut', 'trailing', 'behind', 'reset', 'nothing', 'empty'] as const

/** Each coding, and what is wrong with a body in it. */
export const damages: readonly (readonly [coding: Coding, kind: (typeof kinds)[number]])[] = codings.flatMap((coding) =>
  kinds.map((kind) => [coding, kind] as const),
)

/** Tests that an agent is told the same in a replay. */
export function testDamages(cases: readonly (typeof damages)[number][]): void {
  it.each(cases)('replays an answer whose body in %s is %s', async (coding, kind) => {
    for (const client of clientNames) {
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
  })
}

/** Starts what the tests share, and ends it after them. */
export function setUpEncodedAnswers(): void {
  afterAll(() => server.close())
}
