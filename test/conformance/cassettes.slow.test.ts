import { createHash } from 'node:crypto'
import http from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen, type LocalServer } from '../../examples/world/listen.ts'
import { digest } from '../../src/replay/traces/digest.ts'
import { toGolden } from '../../src/replay/goldens/promotion/to-golden.ts'
import { replay } from '../../src/replay/replay.ts'
import { decodeTrace } from '../../src/trace/read.ts'
import { hasSharedData, keyOf, readExchanges, textOfBody, type Exchange } from '../models/shared-data.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'
import { bytesOf, piecesOf } from './cassette-pieces.ts'

/** What an agent saw of an exchange. */
interface Seen {
  readonly status: number
  readonly contentType: string | undefined
  /** Base64, as they arrived. */
  readonly pieces: readonly string[]
}

type Ask = (url: string, exchange: Exchange, index: number) => Promise<Seen>

const exchanges = readExchanges()
const cases = exchanges.map((exchange, index) => ({ key: keyOf(exchange), exchange, index }))
let server: LocalServer | undefined
let provider = ''
/** How much of the answer under way the agent has read, in bytes. */
let read = 0

beforeAll(async () => {
  server = await listen(async (request, response) => {
    const exchange = exchanges[Number(request.headers['x-exchange'])]
    if (exchange === undefined) throw new Error(`No exchange is asked for by ${request.url}.`)
    for await (const _ of request);
    response.writeHead(exchange.response.status, answerHeaders(exchange))
    response.flushHeaders()
    read = 0
    let written = 0
    const isRead = (): boolean => read >= written || response.destroyed
    for (const piece of piecesOf(exchange.response)) {
      response.write(piece)
      written += piece.length
      // Read by the agent, which is in this process, before the next is written: so that each arrives alone.
      while (!isRead()) await turn()
    }
    response.end()
  })
  provider = server.url
})
afterAll(() => server?.close())

it('finds all exchanges', () => {
  expect(exchanges.length).toBe(hasSharedData ? 149 : 0)
})

it.skipIf(!hasSharedData).each(cases)('replays $key through fetch byte for byte', async ({ exchange, index }) => {
  await expectExact(askByFetch, exchange, index)
})

it.skipIf(!hasSharedData).each(cases)('replays $key through http.request byte for byte', async ({ exchange, index }) => {
  await expectExact(askByRequest, exchange, index)
})

async function expectExact(ask: Ask, exchange: Exchange, index: number): Promise<void> {
  const agent = (): Promise<Seen> => ask(provider, exchange, index)
  // Some exchanges are telemetry.
  const recorded = await recordRun(agent, { recorder: { record: [provider] } })
  const { status, contentType, pieces } = recorded.output
  const [served, seen] = [bytesOf(exchange.response), Buffer.concat(pieces.map((piece) => Buffer.from(piece, 'base64')))]
  expect({ status, contentType, sha: sha(seen) }).toEqual({
    status: exchange.response.status,
    contentType: contentTypeOf(exchange),
    sha: sha(served),
  })
  expect(boundariesOf(pieces.map((piece) => Buffer.from(piece, 'base64')))).toEqual(
    expect.arrayContaining(boundariesOf(piecesOf(exchange.response))),
  )
  // Each holds its replay to the very pieces, in their order: what the agent returned is what it saw.
  await expectClean(recorded.trace, agent)
  const { text } = toGolden(recorded.trace, { name: 'cassette', promotedAt: '2026-11-21T12:00:00.000Z' })
  const promoted = decodeTrace(text, 'cassette.jsonl', digest)
  const { divergences, outcome, hash } = await replay(promoted, agent)
  expect([divergences, outcome, hash]).toEqual([[], { status: 'returned', output: recorded.trace.end?.output }, recorded.trace.hash])
}

/** Where one piece ends and the next begins, in bytes from the start. */
function boundariesOf(pieces: readonly Uint8Array[]): number[] {
  let offset = 0
  return pieces.map(({ length }) => (offset += length))
}

const askByFetch: Ask = async (url, exchange, index) => {
  const response = await fetch(addressOf(url, exchange), {
    method: exchange.request.method,
    headers: { 'x-exchange': String(index) },
    ...(exchange.request.method === 'GET' ? {} : { body: textOfBody(exchange.request) }),
  })
  const pieces: string[] = []
  for await (const piece of response.body ?? []) take(pieces, piece)
  return { status: response.status, contentType: response.headers.get('content-type') ?? undefined, pieces }
}

const askByRequest: Ask = async (url, exchange, index) => {
  const message = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const { method } = exchange.request
    const request = http.request(addressOf(url, exchange), { method, headers: { 'x-exchange': String(index) } }, resolve)
    request.on('error', reject).end(method === 'GET' ? undefined : textOfBody(exchange.request))
  })
  const pieces: string[] = []
  for await (const piece of message) take(pieces, piece as Uint8Array)
  return { status: message.statusCode ?? 0, contentType: message.headers['content-type'], pieces }
}

function take(pieces: string[], piece: Uint8Array): void {
  pieces.push(Buffer.from(piece).toString('base64'))
  read += piece.length
}

/** The provider's path on this server, so that a model call is known as one. */
function addressOf(url: string, { request }: Exchange): string {
  const { pathname, search } = new URL(request.url)
  return `${url}${pathname}${search}`
}

function contentTypeOf({ response }: Exchange): string | undefined {
  return Object.entries(response.headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1][0]
}

/** As they were recorded, but for how the body was framed and encoded then. */
function answerHeaders({ response }: Exchange): string[] {
  const framing = ['content-length', 'content-encoding', 'transfer-encoding', 'connection', 'keep-alive', 'trailer']
  return Object.entries(response.headers).flatMap(([name, values]) =>
    framing.includes(name.toLowerCase()) ? [] : values.flatMap((value) => [name, value]),
  )
}

function sha(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
