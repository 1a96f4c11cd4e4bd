import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as undici from 'undici'
import { afterAll, expect, it } from 'vitest'
import { listen } from '../../../examples/world/listen.ts'
import { replay } from '../../../src/replay/replay.ts'
import { fork } from '../../../src/travel/fork.ts'
import { tool } from '../../../src/run/tool.ts'
import { httpRequest } from '../../support/http-request.ts'
import { recordRun } from '../../support/record-run.ts'

const look = tool('look', {}, async (order: string) => order)

/** The paths that were asked for. */
const asked: string[] = []
const server = await listen(async (request, response) => {
  asked.push(request.url ?? '')
  // Longer than a run that waits for nothing known is looked at.
  if (request.url?.startsWith('/slow') === true) await sleep(400)
  response.write('{"live":')
  await sleep(20)
  response.end('true}')
})
afterAll(() => server.close())
const host = new URL(server.url).host

/** Ways to read a live answer. */
const ways: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  'fetch, as JSON': async (url) => (await fetch(url)).json(),
  'fetch, as a stream': async (url) => {
    let text = ''
    for await (const chunk of (await fetch(url)).body ?? []) text += Buffer.from(chunk).toString()
    return JSON.parse(text)
  },
  'http.request': async (url) => JSON.parse((await httpRequest(url)).body.toString()),
  'undici.request': async (url) => (await undici.request(url)).body.json(),
}

for (const [index, [name, ask]] of Object.entries(ways).entries()) {
  it.concurrent(`lets ${name} out to a live host, waits for it, and compares nothing of it`, { timeout: 15_000 }, async () => {
    const path = `/slow/${index}`
    const agent = async (): Promise<unknown> => [await look('a'), await ask(`${server.url}${path}`), await look('b')]
    const askedUntilNow = (): number => asked.filter((each) => each === path).length
    const { trace } = await recordRun(async () => [await look('a'), { live: true }, await look('b')])
    const { trace: recorded } = await recordRun(agent)
    for (const [each, live] of [[trace, host] as const, [recorded, 'localhost'] as const]) {
      const before = askedUntilNow()
      const run = await replay(each, agent, { live: [live] })
      expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: ['a', { live: true }, 'b'] }])
      expect(askedUntilNow()).toBe(before + 1)
    }
    const before = askedUntilNow()
    expect((await replay(trace, agent, { live: ['example.com'] })).outcome.status).toBe('stopped')
    expect(askedUntilNow()).toBe(before)
  })
}

it('lets a socket out to a live host', { timeout: 15_000 }, async () => {
  const { trace } = await recordRun(async () => [await look('a'), await look('b')].length)
  const agent = async (): Promise<number> => {
    await look('a')
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    await once(socket, 'data')
    socket.destroy()
    await look('b')
    return 2
  }
  const run = await replay(trace, agent, { live: [host] })
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 2 }])
  expect((await replay(trace, agent)).divergences[0]).toMatchObject({ cause: 'unrecorded-contact' })
})

it('ends though a live answer is left unread', { timeout: 15_000 }, async () => {
  const { trace } = await recordRun(async () => await look('a'))
  for (const ask of [() => fetch(server.url), () => undici.request(server.url)]) {
    const run = await replay(
      trace,
      async () => {
        await ask()
        return await look('a')
      },
      { live: [host] },
    )
    expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output: 'a' }])
  }
})

it('refuses to tell a fork what to do at a divergence', async () => {
  const { trace } = await recordRun(async () => await look('a'))
  // @ts-expect-error a fork goes on by what it is
  await expect(fork(trace, () => 1, { onDivergence: 'stop' })).rejects.toMatchObject({
    code: 'GOLDENRUN_OPTIONS',
    message: expect.stringContaining('onDivergence'),
  })
})
