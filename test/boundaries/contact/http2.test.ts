import { once } from 'node:events'
import http2, { type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import { expect, it, vi } from 'vitest'
import { ContactRefusedError } from '../../../src/boundaries/contact/contact-refused-error.ts'
import { replay } from '../../../src/replay/replay.ts'
import { live } from '../../../src/run/live.ts'
import { recordRun } from '../../support/record-run.ts'
import { contactsIn, refusedContact, replayCatching } from './contact-trial.ts'

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

const overSession: readonly (readonly [string, (session: ClientHttp2Session, stream: ClientHttp2Stream) => Promise<unknown>])[] = [
  ['a chunk', (_session, stream) => byCallback((done) => stream.write('secret', done))],
  [
    'several chunks at once',
    (_session, stream) =>
      byCallback((done) => {
        stream.cork()
        stream.write('secret')
        stream.write('secret', done)
        stream.uncork()
      }),
  ],
  ['the end', (_session, stream) => byCallback((done) => stream.end('secret', done))],
  ['a ping', (session) => byCallback((done) => session.ping(Buffer.from('secret!!'), done))],
  ['settings', (session) => byCallback((done) => session.settings({ enablePush: false }, done))],
]

it.each(overSession)('meets %s over a session that was opened before', async (_what, take) => {
  const heard: string[] = []
  const server = http2.createServer()
  server.on('session', (session) => {
    session.on('ping', (payload: Buffer) => heard.push(`ping ${String(payload)}`))
    session.on('remoteSettings', () => heard.push('settings'))
  })
  server.on('stream', (stream) => {
    stream.respond()
    stream.on('data', (piece: Buffer) => heard.push(String(piece))).on('end', () => heard.push('end'))
    stream.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const open = async (): Promise<{ readonly session: ClientHttp2Session; readonly stream: ClientHttp2Stream }> => {
    const session = http2.connect(`http://127.0.0.1:${port}`)
    const stream = session.request({ ':method': 'POST' })
    stream.on('error', () => undefined).resume()
    await once(stream, 'response')
    return { session, stream }
  }

  const recorded = await open()
  heard.length = 0
  const { trace } = await recordRun(async () => void (await take(recorded.session, recorded.stream)))
  expect(contactsIn(trace)).toEqual([`http2 127.0.0.1:${port}`])
  await vi.waitFor(() => expect(heard.length).toBeGreaterThan(0))
  recorded.session.destroy()

  const replayed = await open()
  heard.length = 0
  const { run, error } = await replayCatching(trace, async () => void (await take(replayed.session, replayed.stream)))
  expect(refusedContact(run)).toBe(`http2 127.0.0.1:${port}`)
  expect(ContactRefusedError.isInstance(error)).toBe(true)
  // Whatever was let through would have been heard before this.
  await once(replayed.session.request({ ':path': '/after' }), 'response')
  expect(heard.filter((word) => word !== 'end')).toEqual([])
  replayed.session.destroy()
  server.close()
  await once(server, 'close')
})

function byCallback(take: (done: (error?: Error | null) => void) => unknown): Promise<void> {
  return new Promise((resolve, reject) => void take((error) => (error ? reject(error) : resolve())))
}

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
