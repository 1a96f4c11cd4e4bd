import { once } from 'node:events'
import http2 from 'node:http2'
import { expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { certificate, privateKey } from '../../conformance/certificate.ts'
import { recordRun, rowsOf, startRecorder } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'
import { ask, listenHttp2 } from './http2-server.ts'
import { testHttp2Ways, ways } from '../../support/http2-ways.ts'

// The other ways: http2.slow.test.ts.
testHttp2Ways(ways.filter((_, index) => index % 3 === 0))

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
          ['authorization', '[credential]'],
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
