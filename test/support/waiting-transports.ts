import http, { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import undici from 'undici'
import { afterAll, expect, it } from 'vitest'
import { listen, type LocalServer } from '../../examples/world/listen.ts'
import { recordRun, rowsOf } from './record-run.ts'

// One connection for all: who has to wait for it is written to it by whoever is done with it.
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const before = undici.getGlobalDispatcher()

const home: { [key: symbol]: unknown } = globalThis

const nodes = Symbol.for('undici.globalDispatcher.1')

const nodesBefore = home[nodes]

/** A server that answers in pieces with how much it was sent, and keeps its connections or not. */
export function listenInPieces(keeps: boolean): Promise<LocalServer> {
  return listen(async (request, response) => {
    let size = 0
    for await (const piece of request) size += (piece as Buffer).length
    if (!keeps) response.setHeader('connection', 'close')
    for (let piece = 0; piece < 5; piece += 1) {
      response.write('x'.repeat(30_000))
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end(String(size))
  })
}

export async function fetchSlowly(url: string): Promise<number> {
  const response = await fetch(url, { method: 'POST', body: 'fetched' })
  let size = 0
  for await (const piece of response.body ?? []) {
    size += piece.length
    await sleep(1)
  }
  return size
}

export function post(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: 'POST', agent }, (response) => {
      let size = 0
      response.on('data', (piece: Buffer) => (size += piece.length)).on('end', () => resolve(size))
    })
    request.on('error', reject)
    request.write('in ')
    setImmediate(() => request.end('pieces'))
  })
}

export const keptAliveCases = [true, false] as const

export function testKeptAlive(cases: readonly (typeof keptAliveCases)[number][]): void {
  it.each(cases)('meets nothing of HTTP whose requests wait for a connection (kept alive: %j)', async (keeps) => {
    await using server = await listenInPieces(keeps)
    const burst = async (): Promise<number[]> => {
      const ask = [fetchSlowly, fetchSlowly, post, fetchSlowly, post, post, fetchSlowly]
      return Promise.all(ask.map((make) => make(server.url)))
    }
    // Once over connections that are opened before the runs, once over such as are opened in them.
    for (let round = 0; round < 2; round += 1) {
      if (round === 0) await burst()
      for (const { output, trace } of await Promise.all(Array.from({ length: 4 }, () => recordRun(burst)))) {
        expect(output).toEqual([150_001, 150_001, 150_001, 150_001, 150_001, 150_001, 150_001])
        // The same is posted again, which is noted.
        expect(rowsOf(trace, 'note').filter(({ what }) => what === 'unrecorded-contact')).toEqual([])
      }
      undici.setGlobalDispatcher(new undici.Agent({ connections: 1, pipelining: 1 }))
    }
  })
}

/** Starts what the tests share, and ends it after them. */
export function setUpTransports(): void {
  afterAll(async () => {
    await undici.getGlobalDispatcher().destroy()
    undici.setGlobalDispatcher(before)
    home[nodes] = nodesBefore
    agent.destroy()
  })
}
