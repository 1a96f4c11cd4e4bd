import { AsyncLocalStorage } from 'node:async_hooks'
import { execFile, spawn } from 'node:child_process'
import { lookup } from 'node:dns'
import { once } from 'node:events'
import { readFile } from 'node:fs'
import http, { createServer } from 'node:http'
import { connect, createServer as createHttp2Server } from 'node:http2'
import { expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { AddressInfo } from 'node:net'
import { external } from '../../src/run/external.ts'
import { recordRun } from '../support/record-run.ts'
import { expectClean } from '../support/replay-clean.ts'

/** A storage of the agent's own, such as the request that a log line is of. */
const storage = new AsyncLocalStorage<string>()

/** What an agent has in its storage when each of these calls it back. */
type Way = (tell: (what: string) => void, servers: { readonly url: string; readonly http2: string }) => Promise<unknown>

const ways: readonly (readonly [form: string, way: Way])[] = [
  ['timers', (tell) => new Promise<void>((resolve) => setTimeout(() => resolve(tell('timer')), 5))],
  [
    'intervals',
    (tell) =>
      new Promise<void>((resolve) => {
        const interval = setInterval(() => {
          tell('interval')
          clearInterval(interval)
          resolve()
        }, 3)
      }),
  ],
  ['immediates', (tell) => new Promise<void>((resolve) => setImmediate(() => resolve(tell('immediate'))))],
  ['ticks', (tell) => new Promise<void>((resolve) => process.nextTick(() => resolve(tell('tick'))))],
  [
    'requests',
    (tell, { url }) =>
      new Promise<void>((resolve) => {
        const request = http.get(url, (response) => {
          tell('response')
          response.on('data', () => tell('data'))
          response.on('end', () => resolve(tell('end')))
        })
        request.on('finish', () => undefined)
      }),
  ],
  [
    'errors of requests',
    (tell) => new Promise<void>((resolve) => http.get('http://127.0.0.1:1/').on('error', () => resolve(tell('error')))),
  ],
  [
    'fetch',
    (tell, { url }) =>
      fetch(url)
        .then((response) => response.text())
        .then(() => tell('then')),
  ],
  [
    'aborted signals',
    (tell) => new Promise<void>((resolve) => AbortSignal.timeout(4).addEventListener('abort', () => resolve(tell('abort')))),
  ],
  [
    'requests over HTTP/2',
    (tell, { http2 }) =>
      new Promise<void>((resolve) => {
        const session = connect(http2)
        const stream = session.request({ ':path': '/' })
        stream.on('response', () => tell('response'))
        stream.on('data', () => tell('data'))
        stream.on('close', () => {
          session.close()
          resolve(tell('close'))
        })
      }),
  ],
  ['externals', (tell) => external('ask', async () => 'answer')().then(() => tell('answer'))],
  [
    'child processes',
    async (tell) => {
      const child = spawn(process.execPath, ['-e', 'console.log(1)'])
      child.stdout.on('data', () => tell('output'))
      child.on('exit', () => tell('exit'))
      await once(child, 'close')
      await new Promise<void>((resolve) => execFile(process.execPath, ['-e', '1'], () => resolve(tell('callback'))))
    },
  ],
  [
    'WebSockets',
    async (tell, { url }) => {
      const socket = new WebSocket(url.replace('http', 'ws'))
      socket.on('open', () => {
        tell('open')
        socket.send('hello')
      })
      socket.on('message', () => {
        tell('message')
        socket.close()
      })
      await once(socket, 'close')
    },
  ],
  ['looked up names', (tell) => new Promise<void>((resolve) => lookup('localhost', () => resolve(tell('address'))))],
  ['files', (tell) => new Promise<void>((resolve) => readFile(import.meta.filename, () => resolve(tell('content'))))],
]

it.each(ways)('calls the agent back in its own context: %s', async (_form, way) => {
  const server = createServer((_request, response) => response.end('answer')).listen(0)
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => socket.on('message', () => socket.send('hello')))
  const over2 = createHttp2Server((_request, response) => response.end('answer')).listen(0)
  await Promise.all([once(server, 'listening'), once(over2, 'listening')])
  const [url = '', http2 = ''] = [server, over2].map((each) => `http://127.0.0.1:${(each.address() as AddressInfo).port}`)
  const agent = async (): Promise<unknown[]> => {
    const one = async (name: string): Promise<unknown[]> => {
      const seen: string[] = []
      await storage.run(name, () => way((what) => seen.push(`${what} of ${storage.getStore() ?? 'nobody'}`), { url, http2 }))
      return seen
    }
    return [await one('grace'), ...(await Promise.all([one('ada'), one('charles'), one('edith')]))]
  }
  const { trace, output } = await recordRun(agent)
  sockets.close()
  server.close()
  over2.close()
  const told = (output as string[][]).map((seen) => seen.map((each) => each.replace(/^.* of /, '')))
  expect(told).toEqual(['grace', 'ada', 'charles', 'edith'].map((name) => Array.from(told[0] ?? [], () => name)))
  await expectClean(trace, agent)
})
