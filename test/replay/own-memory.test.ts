import http, { type IncomingMessage } from 'node:http'
import { request as undiciRequest } from 'undici'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../examples/world/listen.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

const sound = [1, 2, 3, 4, 0xff, 0xfe]
const halves = [sound.slice(0, 3), sound.slice(3)]

const server = await listen(async (request, response) => {
  response.writeHead(200, { 'content-type': 'audio/pcm' })
  if (request.url === '/whole') return void response.end(Buffer.from(sound))
  for (const half of halves) {
    response.write(Buffer.from(half))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  response.end()
})
afterAll(() => server.close())

/** Reads a body and overwrites what it read, as a program does that changes the byte order of sound in place. */
async function consume(body: AsyncIterable<Uint8Array>): Promise<number[]> {
  const heard: number[] = []
  for await (const piece of body) {
    heard.push(...piece)
    piece.fill(0)
  }
  return heard
}

const measure = tool('measure', {}, () => ({ bytes: Uint8Array.from(sound), seen: [{ name: 'a' }] }))

const agents: Readonly<Record<string, () => Promise<unknown>>> = {
  'the pieces of a fetch': async () => consume((await fetch(`${server.url}/pieces`)).body ?? (async function* () {})()),
  'the one piece of a fetch': async () => consume((await fetch(`${server.url}/whole`)).body ?? (async function* () {})()),
  'the bytes of a fetch': async () => consume([await (await fetch(`${server.url}/whole`)).bytes()] as never),
  'the pieces of undici': async () => consume((await undiciRequest(`${server.url}/pieces`)).body),
  'the pieces of http.get': async () => consume(await new Promise<IncomingMessage>((resolve) => http.get(`${server.url}/pieces`, resolve))),
  'what a tool gave': async () => {
    const measured = measure()
    const seen = structuredClone(measured)
    measured.bytes.fill(0)
    measured.seen.push({ name: 'b' })
    return seen
  },
}

it.each(Object.entries(agents))('gives an agent that overwrites %s the same in the next replay', async (_, agent) => {
  const { trace, output } = await recordRun(agent)
  expect(JSON.stringify(output)).toContain('255')
  for (let count = 0; count < 3; count += 1) await expectClean(trace, agent)
})
