import { request as send } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { request as dispatch } from 'undici'
import { expect, it } from 'vitest'
import { listen, type LocalServer } from '../../examples/world/listen.ts'
import { replay } from '../../src/replay/replay.ts'
import { tool } from '../../src/run/tool.ts'
import { recordRun } from './record-run.ts'
import { expectClean } from './replay-clean.ts'

const look = tool('look', {}, async (order: string, delay: number) => wait(delay).then(() => order))
const wait = (delay: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, delay))

/** Says what it got. */
export const server: LocalServer = await listen(async (request, response) => void response.end(`got ${await text(request)}`))

/** How long an upload waits before each of its pieces, in milliseconds. */
type Pauses = readonly number[]

type Upload = (pauses: Pauses) => Promise<string>

async function* pieces(pauses: Pauses): AsyncGenerator<Buffer> {
  for (const [number, pause] of pauses.entries()) {
    if (pause > 0) await wait(pause)
    yield Buffer.from(`${number} `)
  }
}

/** Ways to send a body that comes piece by piece. */
export const uploads: Readonly<Record<string, Upload>> = {
  'a fetch of a stream': async (pauses) => {
    const body = Readable.toWeb(Readable.from(pieces(pauses)))
    return await (await fetch(server.url, { method: 'POST', body, duplex: 'half' } as RequestInit)).text()
  },
  'a fetch of a stream that is pulled': async (pauses) => {
    const source = pieces(pauses)
    const body = new ReadableStream({
      async pull(controller) {
        const { done, value } = await source.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
    })
    return await (await fetch(server.url, { method: 'POST', body, duplex: 'half' } as RequestInit)).text()
  },
  'an http.request that is written to': (pauses) =>
    new Promise((resolve, reject) => {
      const request = send(server.url, { method: 'POST' }, (response) => void text(response).then(resolve, reject))
      request.on('error', reject)
      const write = async (): Promise<void> => {
        for await (const piece of pieces(pauses)) request.write(piece)
        request.end()
      }
      void write().catch(reject)
    }),
  'an undici request of an iterable': async (pauses) =>
    await (await dispatch(server.url, { method: 'POST', body: pieces(pauses) as never })).body.text(),
}

/** Tests that bodies of these ways are waited for and compared. */
export function testUploads(cases: readonly (readonly [name: string, upload: Upload])[]): void {
  for (const [name, upload] of cases) {
    it(`replays ${name} whose pieces wait for timers of the run`, { timeout: 10_000 }, async () => {
      const agent = async (): Promise<unknown> => {
        const [uploaded, looked] = await Promise.all([upload([5, 0, 8]), look('ord_1', 3)])
        return [uploaded, looked, await upload([1]), await look('ord_2', 1)]
      }
      const { trace, output } = await recordRun(agent)
      expect(output).toEqual(['got 0 1 2 ', 'ord_1', 'got 0 ', 'ord_2'])
      await expectClean(trace, agent)
    })

    it(`replays ${name} whose pieces wait for a timer that the trace does not have`, { timeout: 10_000 }, async () => {
      let pauses = [0, 0]
      const agent = async (): Promise<unknown> => [await upload(pauses), await look('ord_1', 1)]
      const { trace, output } = await recordRun(agent)
      pauses = [60_000, 0]
      const run = await replay(trace, agent)
      expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
    })

    it(`names the step where ${name} sends something else`, { timeout: 10_000 }, async () => {
      let pauses = [2, 2]
      const agent = async (): Promise<unknown> => [await look('ord_1', 1), await upload(pauses), await look('ord_2', 1)]
      const { trace } = await recordRun(agent)
      pauses = [2, 2, 2]
      const run = await replay(trace, agent)
      expect(run.outcome).toMatchObject({ status: 'stopped', divergence: { cause: 'input', step: 2, parts: ['body'] } })
    })
  }
}
