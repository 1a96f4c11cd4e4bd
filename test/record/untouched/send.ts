import { createHash } from 'node:crypto'
import http, { type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import axios, { type AxiosResponse } from 'axios'
import * as undici8 from 'undici'
import * as undici6 from 'undici6'
import * as undici7 from 'undici7'
import { describeError } from '../../support/record-beside.ts'
import { bodyDecoder } from '../../../src/http/decode-body.ts'
import type { Behaviour } from './behaviour.ts'

/** Whatever an agent sees of a request's outcome. */
export type Seen = Readonly<Record<string, unknown>>

type Send = (url: string, behaviour: Behaviour, controller: AbortController) => Promise<Seen>

/** Longer than any behaviour takes: what does not come to an end is seen as that. */
const LONGEST = 10_000

/** Makes the request, and tells all that its program sees. */
export async function send(url: string, behaviour: Behaviour): Promise<Seen> {
  const controller = new AbortController()
  if (behaviour.abort === 'before') setImmediate(() => controller.abort())
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Seen>((resolve) => {
    timer = setTimeout(() => resolve({ hangs: true }), LONGEST)
  })
  const timers = timerClasses()
  try {
    return { timers, ...(await Promise.race([late, sends[behaviour.client](url, behaviour, controller)])) }
  } catch (error) {
    return { timers, error: [classOf(error), describeError(error)] }
  } finally {
    clearTimeout(timer)
  }
}

/** The name of a value's class, as logs and type checks of programs have it. */
function classOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? [value.constructor?.name, Object.prototype.toString.call(value)] : typeof value
}

function timerClasses(): unknown {
  const [timeout, interval, immediate] = [setTimeout(() => undefined, 0), setInterval(() => undefined, 1), setImmediate(() => undefined)]
  clearTimeout(timeout)
  clearInterval(interval)
  clearImmediate(immediate)
  return [classOf(timeout), classOf(interval), classOf(immediate), timeout.hasRef()]
}

const sends: Readonly<Record<Behaviour['client'], Send>> = {
  fetch: sendByFetch(globalFetch as never),
  'undici 6 fetch': sendByFetch(undici6.fetch as never),
  'undici 7 fetch': sendByFetch(undici7.fetch as never),
  'undici 8 fetch': sendByFetch(undici8.fetch as never),
  'undici 6 request': sendByRequest(undici6.request as never),
  'undici 7 request': sendByRequest(undici7.request as never),
  'undici 8 request': sendByRequest(undici8.request),
  http: sendByHttp,
  axios: sendByAxios,
}

/** The one of the moment: a program reads it when it calls. */
function globalFetch(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, init)
}

function sendByFetch(request: typeof fetch): Send {
  return async (url, behaviour, controller) => {
    const { method, upload, redirect } = behaviour
    const body = uploadOf(upload)
    const response = await request(url, {
      method,
      redirect,
      signal: controller.signal,
      ...(body === undefined ? {} : { body: body as BodyInit, duplex: 'half' }),
    })
    if (behaviour.abort === 'head') controller.abort()
    const { status, statusText, headers, redirected, ok, type, bodyUsed } = response
    const head = { status, statusText, headers: [...headers], redirected, ok, type, bodyUsed, hasBody: response.body !== null }
    const classes = [response, headers, response.body].map(classOf)
    const isResponse = [response instanceof Response, headers instanceof Headers]
    const path = response.url.replace(/^http:\/\/[^/]+/, '').slice(0, 3)
    const told = { cookies: headers.getSetCookie(), cookie: headers.get('set-cookie'), two: headers.get('x-two'), classes, isResponse }
    return { ...head, ...told, path, read: await readFetched(response, behaviour, controller) }
  }
}

async function readFetched(response: Response, { read, abort }: Behaviour, controller: AbortController): Promise<unknown> {
  try {
    switch (read) {
      case 'text':
        return sum(Buffer.from(await response.text()))
      case 'json':
        return sum(Buffer.from(JSON.stringify(await response.json())))
      case 'bytes':
        return sum(Buffer.from(await response.arrayBuffer()))
      case 'pieces':
        return sum(await collect((response.body ?? []) as AsyncIterable<Uint8Array>, abort, controller))
      case 'nothing':
        return await response.body?.cancel()
    }
  } catch (error) {
    return { error: describeError(error) }
  }
}

function sendByRequest(request: typeof undici8.request): Send {
  return async (url, behaviour, controller) => {
    const { method, upload, expectsContinue, abort } = behaviour
    const body = uploadOf(upload)
    const answer = await request(url, {
      method,
      signal: controller.signal,
      body: body instanceof ReadableStream ? Readable.fromWeb(body as never) : ((body ?? null) as never),
      ...(expectsContinue ? { headers: { 'x-expects': 'nothing' } } : {}),
    })
    if (abort === 'head') controller.abort()
    const classes = [answer, answer.headers, answer.body].map(classOf)
    const read = await readNode(answer.body, behaviour, controller)
    return {
      classes,
      status: answer.statusCode,
      statusText: answer.statusText,
      headers: answer.headers,
      trailers: answer.trailers,
      ...read,
    }
  }
}

async function sendByHttp(url: string, behaviour: Behaviour, controller: AbortController): Promise<Seen> {
  return await sendInPool(behaviour, (agent) => requestByHttp(url, behaviour, controller, agent))
}

/** Makes requests one after the other, over the connections that they ask for. Those of the process are also used by others, so what they tell is chance. */
async function sendInPool({ pool, uses }: Behaviour, request: (agent: http.Agent | false | undefined) => Promise<Seen>): Promise<Seen> {
  if (pool !== 'own') return await request(pool === 'none' ? false : undefined)
  const agent = new http.Agent({ keepAlive: true })
  try {
    let seen: Seen | undefined
    for (let use = 0; use < uses; use += 1) {
      seen = { ...(await request(agent)), ...(seen === undefined ? {} : { before: seen }) }
      // Node gives a connection back to its agent a moment after the end of the response.
      await new Promise(setImmediate)
    }
    return seen ?? {}
  } finally {
    agent.destroy()
  }
}

async function requestByHttp(
  url: string,
  behaviour: Behaviour,
  controller: AbortController,
  agent: http.Agent | false | undefined,
): Promise<Seen> {
  const { method, upload, expectsContinue, abort } = behaviour
  const told: unknown[] = []
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = expectsContinue ? { expect: '100-continue' } : {}
    const request = http.request(url, { method, signal: controller.signal, headers, agent }, resolve)
    request.on('error', reject)
    // Node destroys the connection with the signal, also where its request has ended by then.
    request.on('socket', (socket) => socket.on('error', () => undefined))
    request.on('information', ({ statusCode, statusMessage, rawHeaders }) => told.push([statusCode, statusMessage, rawHeaders]))
    const body = uploadOf(upload)
    const write = (): void => {
      if (body instanceof ReadableStream) Readable.fromWeb(body as never).pipe(request)
      else request.end(body)
    }
    if (expectsContinue) request.on('continue', () => (told.push('continue'), write()))
    else write()
  })
  if (abort === 'head') controller.abort()
  const { statusCode, statusMessage, httpVersion, rawHeaders, headers, headersDistinct } = answer
  const { req } = answer as IncomingMessage & { readonly req: http.ClientRequest & { readonly agent: unknown } }
  const classes = [answer, req, answer.socket, req.agent].map(classOf)
  const reused = agent === undefined ? undefined : req.reusedSocket
  const read = await readNode(answer, behaviour, controller)
  const { complete, rawTrailers, trailers, trailersDistinct } = answer
  const head = { statusCode, statusMessage, httpVersion, rawHeaders, headers, headersDistinct, told, classes, reused }
  return { ...head, ...read, complete, rawTrailers, trailers, trailersDistinct }
}

async function sendByAxios(url: string, behaviour: Behaviour, controller: AbortController): Promise<Seen> {
  return await sendInPool(behaviour, (agent) => requestByAxios(url, behaviour, controller, agent))
}

async function requestByAxios(
  url: string,
  behaviour: Behaviour,
  controller: AbortController,
  agent: http.Agent | false | undefined,
): Promise<Seen> {
  const { method, upload, redirect, read, abort } = behaviour
  const body = uploadOf(upload)
  const isPiecewise = read === 'pieces'
  const answer: AxiosResponse<unknown> = await axios.request({
    url,
    method,
    data: body instanceof ReadableStream ? Readable.fromWeb(body as never) : body,
    signal: controller.signal,
    responseType: isPiecewise ? 'stream' : 'arraybuffer',
    maxRedirects: redirect === 'follow' ? 5 : 0,
    validateStatus: () => true,
    ...(agent === undefined ? {} : { httpAgent: agent }),
  })
  if (abort === 'head') controller.abort()
  const { status, statusText, headers, data } = answer
  const request = answer.request as http.ClientRequest
  const classes = [answer, headers, request, data].map(classOf)
  const reused = agent === undefined ? undefined : request.reusedSocket
  const seen = isPiecewise ? await readNode(data as Readable, behaviour, controller) : { read: sum(data as Buffer) }
  return { status, statusText, headers: Object.fromEntries(Object.entries(headers)), classes, reused, ...seen }
}

/** Reads a body that its client may not have decoded. */
async function readNode(body: Readable, { read, abort, codings }: Behaviour, controller: AbortController): Promise<Seen> {
  body.on('error', () => undefined)
  try {
    if (read !== 'nothing') {
      const bytes = await collect(body as AsyncIterable<Uint8Array>, abort, controller)
      return { read: sum(bytes), decoded: decodedSum(bytes, codings) }
    }
    body.destroy()
    return { read: undefined }
  } catch (error) {
    return { read: { error: describeError(error) } }
  }
}

function decodedSum(bytes: Buffer, codings: readonly string[]): string {
  try {
    return sum(Buffer.from(bodyDecoder(codings.join(', '))?.(bytes) ?? bytes))
  } catch {
    return 'cannot be decoded'
  }
}

async function collect(pieces: AsyncIterable<Uint8Array>, abort: Behaviour['abort'], controller: AbortController): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) {
    all.push(piece)
    if (abort === 'piece') controller.abort()
  }
  return Buffer.concat(all)
}

/** A body in short. */
function sum(bytes: Buffer): string {
  return `${bytes.length} bytes, ${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`
}

function uploadOf(upload: Behaviour['upload']): string | Uint8Array | ReadableStream<Uint8Array> | undefined {
  if (upload === undefined) return undefined
  const text = 'upload, '.repeat(Math.ceil(upload.size / 8)).slice(0, upload.size)
  if (upload.as === 'text') return text
  const bytes = Buffer.from(text)
  if (upload.as === 'bytes') return bytes
  return new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 20_000) controller.enqueue(bytes.subarray(at, at + 20_000))
      controller.close()
    },
  })
}
