import { once } from 'node:events'
import http2, { type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import { expect, it } from 'vitest'
import { ContactRefusedError } from '../../../src/boundaries/contact/contact-refused-error.ts'
import { installDoors } from '../../../src/boundaries/doors.ts'
import { replay } from '../../../src/replay/replay.ts'
import { live } from '../../../src/run/live.ts'
import { recordRun } from '../../support/record-run.ts'
import { contactsIn, refusedContact, replayCatching, tryContact } from './contact-trial.ts'

interface Http2Server extends AsyncDisposable {
  readonly url: string
  readonly host: string
  readonly streams: number
}

/** A cleartext HTTP/2 server that answers with the request's path, or with what it was sent. */
async function listenHttp2(): Promise<Http2Server> {
  const server = http2.createServer()
  const sessions = new Set<{ destroy(): void }>()
  let streams = 0
  server.on('session', (session) => sessions.add(session))
  server.on('stream', (stream, headers) => {
    streams += 1
    stream.respond({ ':status': 200 })
    if (headers[':method'] === 'POST') stream.pipe(stream)
    else stream.end(`path ${headers[':path']}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    get streams() {
      return streams
    },
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

async function read(stream: ClientHttp2Stream): Promise<string> {
  let body = ''
  for await (const piece of stream) body += String(piece)
  return body
}

async function getOver(session: ClientHttp2Session, path: string): Promise<string> {
  return read(session.request({ ':path': path }))
}

async function withSession<Result>(url: string, use: (session: ClientHttp2Session) => Promise<Result>): Promise<Result> {
  const session = http2.connect(url)
  const failed = once(session, 'error').then(([error]) => Promise.reject(error as Error))
  // The session's error comes beside that of its streams.
  failed.catch(() => undefined)
  try {
    return await use(session)
  } finally {
    session.destroy()
  }
}

it('meets a session and its requests as one contact', async () => {
  await using server = await listenHttp2()
  const agent = (): Promise<string[]> => withSession(server.url, (session) => Promise.all([getOver(session, '/a'), getOver(session, '/b')]))
  expect(await tryContact(agent, ['path /a', 'path /b'])).toBe(`http2 ${server.host}`)
  expect(server.streams).toBe(8)
})

it('meets a request with a body that is streamed', async () => {
  await using server = await listenHttp2()
  const agent = (): Promise<string> =>
    withSession(server.url, (session) => {
      const stream = session.request({ ':method': 'POST' })
      for (let piece = 0; piece < 200; piece += 1) stream.write('x'.repeat(1000))
      stream.end('end')
      return read(stream)
    })
  expect(await tryContact(agent, `${'x'.repeat(200_000)}end`)).toBe(`http2 ${server.host}`)
})

it('meets requests over a session that was opened before, and leaves the session as it is', async () => {
  await using server = await listenHttp2()
  for (const doors of [() => () => undefined, installDoors]) {
    const release = doors()
    const session = http2.connect(server.url)
    await once(session, 'connect')
    const { output, trace } = await recordRun(() => getOver(session, '/a'))
    expect([output, contactsIn(trace)]).toEqual(['path /a', [`http2 ${server.host}`]])

    const before = server.streams
    const { run, error } = await replayCatching(trace, () => getOver(session, '/a'))
    expect(refusedContact(run)).toBe(`http2 ${server.host}`)
    expect([ContactRefusedError.isInstance(error), server.streams]).toEqual([true, before])
    expect(await getOver(session, '/b')).toBe('path /b')
    session.close()
    release()
  }
})

it('lets a run use a session on that it opened live', async () => {
  await using server = await listenHttp2()
  const agent = async (): Promise<string> => {
    const session = live('it may', () => http2.connect(server.url))
    const answer = await getOver(session, '/a')
    session.destroy()
    return answer
  }
  expect(contactsIn((await recordRun(agent)).trace)).toEqual([])
})

it('leaves a session that has ended to Node', async () => {
  await using server = await listenHttp2()
  const session = http2.connect(server.url)
  await once(session, 'connect')
  session.destroy()
  const agent = (): Promise<string> => getOver(session, '/a').catch((error: { code: string }) => error.code)
  const { output, trace } = await recordRun(agent)
  expect([output, contactsIn(trace)]).toEqual(['ERR_HTTP2_INVALID_SESSION', []])
  expect((await replay(trace, agent)).divergences).toEqual([])
})

it('fails as a session does in life', async () => {
  const watch = async (url: string): Promise<unknown> => {
    const events: string[] = []
    const session = http2.connect(url, () => events.push('called back'))
    for (const event of ['connect', 'error', 'close']) session.on(event, () => events.push(`session ${event}`))
    const stream = session.request({ ':path': '/' })
    for (const event of ['response', 'ready', 'error', 'end', 'close']) stream.on(event, () => events.push(`stream ${event}`))
    await Promise.allSettled([once(session, 'close'), new Promise((resolve) => stream.once('close', resolve))])
    return [events.toSorted(), session.destroyed, stream.destroyed]
  }
  const server = await listenHttp2()
  const { trace } = await recordRun(() => withSession(server.url, (session) => getOver(session, '/')))
  let refused: unknown
  expect(refusedContact(await replay(trace, async () => (refused = await watch(server.url))))).toBe(`http2 ${server.host}`)
  await server[Symbol.asyncDispose]()
  expect(refused).toEqual(await watch(server.url))
})
