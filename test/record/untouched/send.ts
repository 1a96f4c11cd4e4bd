import { createHash } from 'node:crypto'
import http, { type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import axios, { type AxiosResponse } from 'axios'
import * as undici8 from 'undici'
import * as undici6 from 'undici6'
import * as undici7 from 'undici7'
import { describeError } from '../../support/record-beside.ts'
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
  try {
    return await Promise.race([late, sends[behaviour.client](url, behaviour, controller)])
  } catch (error) {
    return { error: describeError(error) }
  } finally {
    clearTimeout(timer)
  }
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
    const path = response.url.replace(/^http:\/\/[^/]+/, '').slice(0, 3)
    return { ...head, path, read: await readFetched(response, behaviour, controller) }
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
        return await collect((response.body ?? []) as AsyncIterable<Uint8Array>, abort, controller)
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
    const read = await readNode(answer.body, behaviour, controller)
    return { status: answer.statusCode, headers: answer.headers, trailers: answer.trailers, read }
  }
}

async function sendByHttp(url: string, behaviour: Behaviour, controller: AbortController): Promise<Seen> {
  const { method, upload, expectsContinue, abort } = behaviour
  const told: string[] = []
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = expectsContinue ? { expect: '100-continue' } : {}
    const request = http.request(url, { method, signal: controller.signal, headers }, resolve)
    request.on('error', reject)
    // Node destroys the connection with the signal, also where its request has ended by then.
    request.on('socket', (socket) => socket.on('error', () => undefined))
    request.on('information', ({ statusCode }) => told.push(String(statusCode)))
    const body = uploadOf(upload)
    const write = (): void => {
      if (body instanceof ReadableStream) Readable.fromWeb(body as never).pipe(request)
      else request.end(body)
    }
    if (expectsContinue) request.on('continue', () => (told.push('continue'), write()))
    else write()
  })
  if (abort === 'head') controller.abort()
  const { statusCode, statusMessage, httpVersion, rawHeaders } = answer
  const read = await readNode(answer, behaviour, controller)
  return { statusCode, statusMessage, httpVersion, rawHeaders, told, read, complete: answer.complete, rawTrailers: answer.rawTrailers }
}

async function sendByAxios(url: string, behaviour: Behaviour, controller: AbortController): Promise<Seen> {
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
  })
  if (abort === 'head') controller.abort()
  const { status, statusText, headers, data } = answer
  const seen = isPiecewise ? await readNode(data as Readable, behaviour, controller) : sum(data as Buffer)
  return { status, statusText, headers: Object.fromEntries(Object.entries(headers)), read: seen }
}

async function readNode(body: Readable, { read, abort }: Behaviour, controller: AbortController): Promise<unknown> {
  body.on('error', () => undefined)
  try {
    if (read !== 'nothing') return await collect(body as AsyncIterable<Uint8Array>, abort, controller)
    body.destroy()
    return undefined
  } catch (error) {
    return { error: describeError(error) }
  }
}

async function collect(pieces: AsyncIterable<Uint8Array>, abort: Behaviour['abort'], controller: AbortController): Promise<unknown> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) {
    all.push(piece)
    if (abort === 'piece') controller.abort()
  }
  return sum(Buffer.concat(all))
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
