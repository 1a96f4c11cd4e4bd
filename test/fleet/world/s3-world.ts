import crypto from 'node:crypto'
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { createTemporaryDirectory } from '../../support/temporary-directory.ts'

/** A request as the storage is asked. */
export interface SeenRequest {
  readonly method: string
  /** Below the bucket; empty for a listing. */
  readonly key: string
  /** The bytes of its body and of the body of its answer. */
  readonly bytes: number
}

/**
 * What a request comes to in place of its answer: a status, a body that is cut, half of an object stored, an answer after others, no answer, the answer
 * of a bucket that is gone or of a server that is none for buckets, or a connection that breaks.
 */
export type Fault =
  | (403 | 404 | 409 | 412 | 500 | 507)
  | ('cut' | 'lost answer' | 'half write' | 'late' | 'slow' | 'no bucket' | 'nonsense' | 'down')

/** An S3 server in this process, behind a proxy that answers conditional puts as S3 does, and misbehaves when told to. */
export interface S3World extends AsyncDisposable {
  /** `s3://…`, for a store. */
  readonly url: string
  readonly requests: SeenRequest[]
  /** Decides what each request comes to. Default: nothing goes wrong. */
  fault: (request: SeenRequest) => Fault | undefined
  /** How many keys a page of a listing has at most, fewer than it is asked for. Default: as many. */
  pageSize: number | undefined
}

interface S3rver {
  run(): Promise<AddressInfo>
  close(): Promise<void>
}
type S3rverClass = new (options: object) => S3rver

const BUCKET = 'recordings'
const environment = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

/** Starts one on ports of the system, and puts its credentials into the environment. */
export async function startS3World(): Promise<S3World> {
  const directory = await createTemporaryDirectory()
  const restoreCiphers = provideDes()
  const Server = createRequire(import.meta.url)('s3rver') as S3rverClass
  const options = {
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: directory.path,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  }
  const server = new Server(options)
  const { port } = await server.run()
  const agent = new Agent({ keepAlive: true })
  const putting = new Map<string, Promise<unknown>>()
  const world = {
    requests: [] as SeenRequest[],
    fault: (_request: SeenRequest): Fault | undefined => undefined,
    pageSize: undefined as number | undefined,
  }
  const proxy = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    const key = decodeURIComponent(new URL(request.url ?? '', 'http://x').pathname.slice(BUCKET.length + 2))
    const seen = { method: request.method ?? '', key, bytes: body.length }
    world.requests.push(seen)
    const fault = world.fault(seen)
    if (fault === 'down') return void response.destroy()
    if (fault === 'slow') return
    if (typeof fault === 'number') return refuse(response, fault)
    if (fault === 'no bucket') return refuse(response, 404, 'NoSuchBucket')
    // As where a network asks a guest to sign in.
    if (fault === 'nonsense') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Sign in</html>')
    if (fault === 'late') await pause(20 + 60 * Math.random())
    const forward = async (): Promise<Forwarded> => {
      if (fault === 'half write') {
        await forwardTo(port, agent, withoutSignature(request), body.subarray(0, body.length >>> 1))
        throw new Error('The rest of the object does not arrive.')
      }
      const forwarded = await forwardTo(port, agent, withPages(request, world.pageSize), body)
      // The server answers before it has written everything; S3 does not.
      if (request.method === 'PUT' && forwarded.status === 200) while ((await sizeOf(port, agent, request)) !== body.length) await pause(1)
      return forwarded
    }
    const isConditional = request.method === 'PUT' && request.headers['if-none-match'] === '*'
    const isThere = async (): Promise<boolean> => (await sizeOf(port, agent, request)) !== undefined
    // The server gives a part of an object that is being put; S3 does not.
    if (request.method === 'GET') await putting.get(key)?.catch(() => undefined)
    const forwarded =
      request.method === 'PUT'
        ? await oneAfterTheOther(putting, key, async () => (isConditional && (await isThere()) ? undefined : forward()))
        : await forward()
    if (fault === 'lost answer') return void response.destroy()
    if (forwarded === undefined) return refuse(response, 412)
    seen.bytes += forwarded.body.length
    response.writeHead(forwarded.status, forwarded.headers)
    if (fault !== 'cut') return void response.end(forwarded.body)
    response.write(forwarded.body.subarray(0, forwarded.body.length >>> 1), () => response.destroy())
  }

  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const before = Object.fromEntries(Object.keys(environment).map((name) => [name, process.env[name]]))
  Object.assign(process.env, environment)
  return Object.assign(world, {
    url: `s3://${BUCKET}/fleet?endpoint=http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
      proxy.closeAllConnections()
      proxy.close()
      agent.destroy()
      await server.close()
      restoreCiphers()
      await directory[Symbol.asyncDispose]()
    },
  })
}

/**
 * The server enciphers where the next page of a listing begins by DES, which Node's OpenSSL no longer has: without it, a listing of more than a
 * thousand objects fails. Triple DES with one key is the same.
 */
function provideDes(): () => void {
  const { createCipheriv, createDecipheriv } = crypto
  const tripled = <Cipher>(create: (name: string, key: Buffer, iv: Buffer) => Cipher): typeof create => {
    return (name, key, iv) => (name === 'des' ? create('des-ede3-cbc', Buffer.concat([key, key, key]), iv) : create(name, key, iv))
  }
  Object.assign(crypto, { createCipheriv: tripled(createCipheriv), createDecipheriv: tripled(createDecipheriv) })
  return () => void Object.assign(crypto, { createCipheriv, createDecipheriv })
}

/** Asks for smaller pages. The signature is left out: the server takes what is not signed. */
function withPages(request: IncomingMessage, size: number | undefined): Asked {
  const { method, url, headers } = request
  if (size === undefined || url?.includes('max-keys=') !== true) return request
  const { authorization: _signature, ...unsigned } = headers
  return { method, url: url.replace(/max-keys=\d+/, `max-keys=${size}`), headers: unsigned }
}

/** The signature is left out, and with it the size that is signed. */
function withoutSignature({ method, url, headers }: IncomingMessage): Asked {
  const { authorization: _signature, 'content-length': _size, 'x-amz-content-sha256': _hash, ...others } = headers
  return { method, url, headers: others }
}

type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

interface Forwarded {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

async function forwardTo(port: number, agent: Agent, { method, url, headers }: Asked, body?: Buffer): Promise<Forwarded> {
  const forwarded = requestHttp({ host: '127.0.0.1', port, agent, ...(method && { method }), path: url ?? '', headers })
  forwarded.end(body)
  const [answer] = (await once(forwarded, 'response')) as [IncomingMessage]
  return { status: answer.statusCode ?? 500, headers: answer.headers, body: await buffer(answer) }
}

/** The size of an object; undefined if there is none. The signature of the put is left out: the server takes what is not signed. */
async function sizeOf(port: number, agent: Agent, { url }: IncomingMessage): Promise<number | undefined> {
  const path = url ?? ''
  const head = { method: 'HEAD', url: path, headers: { host: `127.0.0.1:${port}` } } as IncomingMessage
  const { status, headers } = await forwardTo(port, agent, head)
  return status === 200 ? Number(headers['content-length']) : undefined
}

async function oneAfterTheOther<Result>(running: Map<string, Promise<unknown>>, key: string, work: () => Promise<Result>): Promise<Result> {
  const turn = (running.get(key) ?? Promise.resolve()).catch(() => undefined).then(work)
  running.set(key, turn)
  return turn
}

const codes: Readonly<Record<number, string>> = {
  403: 'AccessDenied',
  404: 'NoSuchKey',
  409: 'ConditionalRequestConflict',
  412: 'PreconditionFailed',
  500: 'InternalError',
  507: 'StorageFull',
}

function refuse(response: ServerResponse, status: number, code: string = codes[status] ?? ''): void {
  const secret = '<AWSAccessKeyId>S3RVER</AWSAccessKeyId>'
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>No.</Message>${secret}</Error>`)
}
