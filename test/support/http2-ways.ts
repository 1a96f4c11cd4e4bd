import http2, { type ClientHttp2Session } from 'node:http2'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { replay } from '../../src/replay/replay.ts'
import { recordRun, rowsOf } from './record-run.ts'
import { expectClean, toGoldenTrace } from './replay-clean.ts'
import { ask, heardOf, listenHttp2 } from '../boundaries/http2/http2-server.ts'

type Way = (session: ClientHttp2Session) => Promise<unknown>

export const ways: readonly (readonly [form: string, way: Way, steps: number])[] = [
  ['a request', (session) => ask(session, { ':path': '/json' }), 1],
  ['an answer in pieces', (session) => ask(session, { ':path': '/pieces' }), 1],
  ['an answer without a body', (session) => ask(session, { ':path': '/nothing' }), 1],
  ['an answer with trailers', (session) => ask(session, { ':path': '/trailers' }), 1],
  ['a stream that the server resets', (session) => ask(session, { ':path': '/reset' }), 1],
  ['a stream that the server cancels', (session) => ask(session, { ':path': '/cancelled' }), 1],
  ['a body', (session) => ask(session, { ':path': '/echo', ':method': 'POST' }, '{"a":1}'), 1],
  [
    'an encoded answer',
    async (session) => {
      const stream = session.request({ ':path': '/gzip' })
      return gunzipSync(await buffer(stream)).toString()
    },
    1,
  ],
  [
    'a body in pieces',
    (session) => {
      const stream = session.request({ ':path': '/echo', ':method': 'POST' })
      stream.write('{"a":')
      setTimeout(() => stream.end('2}'), 5)
      return heardOf(stream)
    },
    1,
  ],
  [
    'a stream that the agent closes',
    async (session) => {
      const stream = session.request({ ':path': '/endless' })
      stream.once('data', () => stream.close(http2.constants.NGHTTP2_CANCEL))
      return await heardOf(stream)
    },
    1,
  ],
  [
    'a stream that the agent destroys before it is answered',
    async (session) => {
      const stream = session.request({ ':path': '/nowhere' })
      setTimeout(() => stream.destroy(new Error('no longer wanted')), 5)
      return await heardOf(stream)
    },
    1,
  ],
  [
    'requests at once',
    async (session) => {
      const order: string[] = []
      await Promise.all(['/pieces', '/json', '/nothing'].map(async (path) => (await ask(session, { ':path': path }), order.push(path))))
      return order
    },
    3,
  ],
]

export function testHttp2Ways(cases: readonly (typeof ways)[number][]): void {
  it.each(cases)('replays %s with the server gone', async (_form, way, steps) => {
    const server = await listenHttp2()
    const agent = async (): Promise<unknown> => {
      const session = http2.connect(server.url)
      const heard = await way(session)
      session.close()
      return heard
    }
    const { output, trace } = await recordRun(agent)
    await server.stop()
    expect(rowsOf(trace, 'note')).toEqual([])
    expect(trace.steps.map(({ boundary }) => boundary)).toEqual(Array.from({ length: steps }, () => 'http'))
    for (let time = 0; time < 4; time += 1) {
      const run = await replay(trace, agent)
      expect(run.divergences).toEqual([])
      expect(run.outcome).toEqual({ status: 'returned', output })
    }
    await expectClean(toGoldenTrace(trace), agent)
  })
}
