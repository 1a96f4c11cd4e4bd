import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import http2 from 'node:http2'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import axios from 'axios'
import { request as dispatch } from 'undici'
import { afterAll, expect, it } from 'vitest'
import { replay } from '../../../src/replay/replay.ts'
import { recordRun } from '../../support/record-run.ts'
import { expectClean } from '../../support/replay-clean.ts'

/** Answers before it has read the body. Closes the connection at `/close`, and reads the body afterwards at `/drain`. */
const server = http.createServer((request, response) => {
  const [, how, status] = (request.url ?? '').split('/')
  if (how === 'close') response.setHeader('connection', 'close')
  response.writeHead(Number(status), { 'content-type': 'text/plain' }).end('refused')
  if (how === 'drain') request.resume()
})
const secondServer = http2.createServer((request, response) => {
  response.writeHead(Number(request.url.split('/')[2])).end('refused')
})
for (const each of [server, secondServer]) await once(each.listen(0, '127.0.0.1'), 'listening')
afterAll(() => {
  server.closeAllConnections()
  server.close()
  secondServer.close()
})
const urlOf = ({ address }: typeof server | typeof secondServer): string => `http://127.0.0.1:${(address.call(server) as AddressInfo).port}`

const size = 4_000_000
const [letterA, letterB] = [0x61, 0x62]

type Upload = (path: string, fill: number) => Promise<string>

/** Ways to upload `size` bytes. Each returns the status and the body of the answer. */
const uploads: Readonly<Record<string, { readonly path: string; readonly upload: Upload }>> = {
  'a fetch of a form': {
    path: '/close/413',
    upload: (path, fill) => {
      const form = new FormData()
      form.append('purpose', 'user_data')
      form.append('file', new File([Buffer.alloc(size, fill)], 'big.bin'))
      return sendFetch(path, form)
    },
  },
  'an undici request of a stream': {
    path: '/close/417',
    upload: async (path, fill) => {
      const { statusCode, body } = await dispatch(`${urlOf(server)}${path}`, { method: 'POST', body: Readable.from(pieces(fill)) })
      return `${statusCode} ${await body.text()}`
    },
  },
  'a stream piped to an http.request': {
    path: '/drain/401',
    upload: (path, fill) =>
      new Promise((resolve, reject) => {
        const request = http.request(`${urlOf(server)}${path}`, { method: 'POST', agent: false })
        request.on('response', (response: IncomingMessage) => {
          void text(response).then((body) => resolve(`${response.statusCode} ${body}`), reject)
        })
        request.on('error', reject)
        Readable.from(pieces(fill)).pipe(request)
      }),
  },
  axios: {
    path: '/close/413',
    upload: async (path, fill) => {
      const options = { adapter: 'http', validateStatus: () => true, maxRedirects: 0 } as const
      const { status, data } = await axios.post<string>(`${urlOf(server)}${path}`, Readable.from(pieces(fill)), options)
      return `${status} ${data}`
    },
  },
  'a request over HTTP/2': {
    path: '/close/413',
    upload: async (path, fill) => {
      const session = http2.connect(`http://127.0.0.1:${(secondServer.address() as AddressInfo).port}`)
      const stream = session.request({ ':method': 'POST', ':path': path })
      stream.on('error', () => undefined)
      Readable.from(pieces(fill)).pipe(stream)
      const [{ ':status': status }] = (await once(stream, 'response')) as [{ ':status': number }]
      const body = await text(stream)
      session.destroy()
      return `${status} ${body}`
    },
  },
}

function* pieces(fill: number): Generator<Buffer> {
  for (let sent = 0; sent < size; sent += 40_000) yield Buffer.alloc(40_000, fill)
}

async function sendFetch(path: string, body: BodyInit): Promise<string> {
  const response = await fetch(`${urlOf(server)}${path}`, { method: 'POST', body, duplex: 'half' } as RequestInit)
  return `${response.status} ${await response.text()}`
}

async function told(upload: () => Promise<string>): Promise<string> {
  try {
    return await upload()
  } catch (error) {
    return (error as Error).message
  }
}

const trials = Object.entries(uploads).map(([name, { path, upload }]) => [name, path, upload] as const)

it.each(trials)('replays %s that is answered at %s before it is sent', { timeout: 20_000 }, async (_name, path, upload) => {
  const agent = async (fill: number): Promise<unknown> => {
    const outcome = await told(() => upload(path, fill))
    return [outcome, await (await fetch(`${urlOf(server)}/drain/200`, { method: 'POST', body: outcome })).text()]
  }
  const { trace, output } = await recordRun(() => agent(letterA))
  expect(output).toEqual([expect.any(String), 'refused'])
  await expectClean(trace, () => agent(letterA))
  const { divergences } = await replay(trace, () => agent(letterB))
  expect(divergences[0]).toMatchObject({ cause: 'input', step: 1 })
})
