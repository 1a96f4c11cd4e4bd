import { once } from 'node:events'
import http2, { type ClientHttp2Session } from 'node:http2'
import { buffer } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { certificate, privateKey } from '../../conformance/certificate.ts'
import { recordRun, rowsOf, startRecorder } from '../../support/record-run.ts'
import { expectClean, toGoldenTrace } from '../../support/replay-clean.ts'
import { ask, heardOf, listenHttp2 } from './http2-server.ts'

type Way = (session: ClientHttp2Session) => Promise<unknown>

const ways: readonly (readonly [form: string, way: Way, steps: number])[] = [
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

it.each(ways)('replays %s with the server gone', async (_form, way, steps) => {
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

it('gives the agent the same as without a recorder', async () => {
  await using server = await listenHttp2()
  for (const [form, way] of ways) {
    const agent = async (): Promise<unknown> => {
      const session = http2.connect(server.url)
      const heard = await way(session)
      session.close()
      return heard
    }
    const alone = await agent()
    expect((await recordRun(agent)).output, form).toEqual(alone)
  }
})

it('has a request as one over HTTP/1', async () => {
  await using server = await listenHttp2()
  const session = http2.connect(server.url)
  const { trace } = await recordRun(() =>
    ask(
      session,
      { ':path': '/echo?a=1', ':method': 'PUT', 'content-type': 'application/json', 'shop-version': '3', authorization: 'x' },
      '{"a":1}',
    ),
  )
  session.close()
  expect(trace.steps.map(({ name, input }) => [name, input])).toEqual([
    [
      server.url.replace('http://', ''),
      {
        method: 'PUT',
        url: `${server.url}/echo?a=1`,
        headers: [
          ['content-type', 'application/json'],
          ['shop-version', '3'],
        ],
        json: { a: 1 },
      },
    ],
  ])
})

it('replays a session over TLS, which tells when it is connected', async () => {
  const server = await listenHttp2({ cert: certificate, key: privateKey })
  const agent = async (): Promise<unknown> => {
    const session = http2.connect(server.url, { ca: certificate })
    await once(session, 'connect')
    const heard = [session.encrypted, session.alpnProtocol, await ask(session, { ':path': '/json' })]
    session.close()
    await once(session, 'close')
    return [heard, session.destroyed]
  }
  const { output, trace } = await recordRun(agent)
  expect(rowsOf(trace, 'note')).toEqual([])
  await server.stop()
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})

it('replays a server that cannot be reached', async () => {
  const server = await listenHttp2()
  await server.stop()
  const agent = async (): Promise<unknown> => {
    const session = http2.connect(server.url)
    session.on('error', () => undefined)
    return await ask(session, { ':path': '/json' })
  }
  const { output, trace } = await recordRun(agent)
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome]).toEqual([[], { status: 'returned', output }])
})

it('keeps eight runs at once apart on a session that was opened before', async () => {
  await using server = await listenHttp2()
  const session = http2.connect(server.url)
  await once(session, 'connect')
  const agent = async (name: string): Promise<unknown> => {
    const heard: unknown[] = []
    for (let turn = 0; turn < 5; turn += 1)
      heard.push(await ask(session, { ':path': '/echo', ':method': 'POST' }, `{"name":"${name}","turn":${turn}}`))
    return heard
  }
  await using recorder = await startRecorder()
  const names = Array.from({ length: 8 }, (_, index) => `run ${index}`)
  const runs = await Promise.all(names.map((name) => recorder.record(() => agent(name), {})))
  const { requests } = server
  for (const [index, { trace }] of runs.entries()) {
    const name = names[index] ?? ''
    expect(trace.steps.map(({ input }) => (input as { readonly json: unknown }).json)).toEqual(
      [0, 1, 2, 3, 4].map((turn) => ({ name, turn })),
    )
    expect(rowsOf(trace, 'note')).toEqual([])
    await expectClean(trace, () => agent(name))
  }
  expect(server.requests).toBe(requests)
  // The session is as it was.
  expect(await ask(session, { ':path': '/json' })).toContainEqual(['end'])
  session.close()
})

it('keeps runs apart whose requests are made in handlers of others', async () => {
  await using server = await listenHttp2()
  const session = http2.connect(server.url)
  await once(session, 'connect')
  const request = (path: string, event: string, then: () => void): void => {
    const stream = session.request({ ':path': path })
    stream.once(event, then)
    stream.resume()
  }
  const agent = (name: string): Promise<unknown> =>
    new Promise((resolve) => {
      const last = (): void => resolve(name)
      request(`/json?${name}a`, 'response', () => request(`/pieces?${name}b`, 'end', () => request(`/json?${name}c`, 'close', last)))
    })
  await using recorder = await startRecorder()
  const names = Array.from({ length: 8 }, (_, index) => `run${index}`)
  const runs = await Promise.all(names.map((name) => recorder.record(() => agent(name), {})))
  for (const [index, { trace }] of runs.entries()) {
    const name = names[index] ?? ''
    expect(trace.steps.map(({ input }) => (input as { readonly url: string }).url.split('?')[1])).toEqual([
      `${name}a`,
      `${name}b`,
      `${name}c`,
    ])
    await expectClean(trace, () => agent(name))
  }
  session.close()
})

it('reports a changed body and an unexpected request, and sends neither', async () => {
  await using server = await listenHttp2()
  const session = http2.connect(server.url)
  const say = (text: string) => (): Promise<unknown> => ask(session, { ':path': '/echo', ':method': 'POST' }, JSON.stringify({ text }))
  const { trace } = await recordRun(say('one'))
  const { requests } = server
  const run = await replay(trace, say('two'))
  expect(run.divergences).toMatchObject([{ cause: 'input', site: { file: expect.stringContaining('test/boundaries/http2/') as string } }])
  const other = await replay(trace, async () => [await say('one')(), await ask(session, { ':path': '/json' })])
  expect(other.divergences).toMatchObject([{ cause: 'unexpected-call' }])
  expect(server.requests).toBe(requests)
  session.close()
})

it('writes no secret to the disk', async () => {
  await using server = await listenHttp2()
  const session = http2.connect(server.url)
  const secret = 'sk-proj-Zx8Qm2Vt7Lk4Rw9Yb3Nc6Hd1Jf5Gp0Sa'
  const agent = (): Promise<unknown> =>
    ask(session, { ':path': '/echo', ':method': 'POST', authorization: `Bearer ${secret}` }, `{"key":"${secret}"}`)
  const { trace, text } = await recordRun(agent)
  expect([text.includes(secret), text.includes('sk-')]).toEqual([false, true])
  const run = await replay(trace, agent)
  expect([run.divergences, run.outcome.status]).toEqual([[], 'returned'])
  session.close()
})

it('has pings and settings of a session that a run opens as work of the session', async () => {
  const server = await listenHttp2()
  const agent = async (): Promise<unknown> => {
    const session = http2.connect(server.url)
    const heard = await new Promise((resolve) => {
      session.settings({ maxConcurrentStreams: 1 }, () => session.ping((error, _duration, payload) => resolve([error, payload.length])))
    })
    session.close()
    return heard
  }
  const { output, trace } = await recordRun(agent)
  expect([output, trace.steps, rowsOf(trace, 'note')]).toEqual([[null, 8], [], []])
  await server.stop()
  await expectClean(trace, agent)
})
