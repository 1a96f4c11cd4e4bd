import { type Duplex, PassThrough, Readable } from 'node:stream'
import { type Client, type ClientSource, isForm, type Received, type Sent, toFormData } from '../client.ts'
import { createFetchClient, type FetchLike } from './fetch-client.ts'

/** A major of undici that programs have installed. */
export type UndiciMajor = 6 | 7 | 8

/** A way to send with it. */
export type UndiciWay = 'fetch' | 'request' | 'stream' | 'pipeline' | 'Client' | 'Pool' | 'Agent' | 'fetch + Agent'

/** The client for a way, of a major. */
export function undici(major: UndiciMajor, way: UndiciWay): ClientSource {
  return async (origin) => {
    const module = await load(major)
    switch (way) {
      case 'fetch':
        return createFetchClient(module.fetch, { FormData: module.FormData })
      case 'fetch + Agent': {
        const dispatcher = new module.Agent()
        return {
          ...createFetchClient(module.fetch, { FormData: module.FormData, init: { dispatcher } }),
          close: () => dispatcher.destroy(),
        }
      }
      case 'request':
        return createRequestClient(module, (url, options) => module.request(url, options), formless)
      case 'stream':
        return createRequestClient(module, (url, options) => requestByStream(module, url, options), formless)
      case 'pipeline':
        return createRequestClient(module, (url, options) => requestByPipeline(module, url, options), formless)
      case 'Agent': {
        const dispatcher = new module.Agent()
        return closing(
          createRequestClient(module, (url, options) => module.request(url, { ...options, dispatcher })),
          dispatcher,
        )
      }
      case 'Client':
      case 'Pool': {
        const pools = new Map<string, UndiciDispatcher>()
        const dispatcherFor = (url: string): UndiciDispatcher => {
          const { origin: target } = new URL(url)
          const known = pools.get(target)
          if (known !== undefined) return known
          // One connection, so that calls wait for each other.
          const made = way === 'Pool' ? new module.Pool(target, { connections: 1 }) : new module.Client(target)
          pools.set(target, made)
          return made
        }
        dispatcherFor(origin)
        return {
          ...createRequestClient(module, (url, options) => {
            const { pathname, search } = new URL(url)
            return dispatcherFor(url).request({ ...options, path: pathname + search })
          }),
          close: async () => void (await Promise.all([...pools.values()].map((pool) => pool.destroy()))),
        }
      }
    }
  }
}

/** What a request is told, by the names that undici gives it. */
interface UndiciOptions {
  readonly method: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

interface UndiciAnswer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly trailers: Readonly<Record<string, string | undefined>>
  readonly body: Readable
}

interface UndiciDispatcher {
  request(options: UndiciOptions & { readonly path: string }): Promise<UndiciAnswer>
  destroy(): Promise<void>
}

/** What the majors have in common, as far as it is used here. */
interface UndiciModule {
  readonly fetch: FetchLike
  readonly FormData: typeof FormData
  readonly Agent: new () => UndiciDispatcher
  readonly Client: new (origin: string) => UndiciDispatcher
  readonly Pool: new (origin: string, options: { connections: number }) => UndiciDispatcher
  request(url: string, options: UndiciOptions & { readonly dispatcher?: UndiciDispatcher }): Promise<UndiciAnswer>
  stream(
    url: string,
    options: UndiciOptions,
    factory: (head: { statusCode: number; headers: UndiciAnswer['headers'] }) => PassThrough,
  ): Promise<{ trailers: UndiciAnswer['trailers'] }>
  pipeline(
    url: string,
    options: Omit<UndiciOptions, 'body'>,
    handler: (head: { statusCode: number; headers: UndiciAnswer['headers']; body: Readable }) => Readable,
  ): Duplex
}

async function load(major: UndiciMajor): Promise<UndiciModule> {
  const module: unknown = major === 6 ? await import('undici6') : major === 7 ? await import('undici7') : await import('undici')
  return module as UndiciModule
}

/** A global dispatcher may be another copy's, of Node or of another major: it then waits for ever with the form of this one. */
const formless: Client['lacks'] = ['form']

function closing(client: Client, dispatcher: UndiciDispatcher): Client {
  return { ...client, close: () => dispatcher.destroy() }
}

function createRequestClient(
  module: UndiciModule,
  request: (url: string, options: UndiciOptions) => Promise<UndiciAnswer>,
  lacks: Client['lacks'] = [],
): Client {
  return {
    lacks: ['follow', 'clone', 'tee', 'decode', ...lacks],
    async send({ url, method = 'GET', headers, body, signal }: Sent): Promise<Received> {
      const answer = await request(url, {
        method,
        ...(headers === undefined ? {} : { headers }),
        ...(body === undefined ? {} : { body: isForm(body) ? toFormData(body, module.FormData) : body }),
        ...(signal === undefined ? {} : { signal }),
      })
      return {
        status: answer.statusCode,
        header: (name) => [answer.headers[name] ?? []].flat().join(', ') || undefined,
        body: answer.body,
        async text() {
          const pieces: Buffer[] = []
          for await (const piece of answer.body) pieces.push(piece)
          return Buffer.concat(pieces).toString('latin1')
        },
        trailers: () => answer.trailers,
      }
    },
  }
}

/** `stream` hands the head to a factory and the body to what that makes; here it is told as `request` tells it. */
function requestByStream(module: UndiciModule, url: string, options: UndiciOptions): Promise<UndiciAnswer> {
  return new Promise((resolve, reject) => {
    const body = new PassThrough()
    // Without a head nobody reads it, and its error is told by the promise.
    body.on('error', () => undefined)
    const trailers: Record<string, string | undefined> = {}
    const done = module.stream(url, options, ({ statusCode, headers }) => {
      resolve({ statusCode, headers, trailers, body })
      return body
    })
    done.then(
      (end) => Object.assign(trailers, end.trailers),
      (error: unknown) => {
        reject(error)
        body.destroy(error instanceof Error ? error : undefined)
      },
    )
  })
}

/** `pipeline` is a stream that the body is written to and the answer read from; the head is handed to a function in between. */
function requestByPipeline(module: UndiciModule, url: string, { body, ...options }: UndiciOptions): Promise<UndiciAnswer> {
  return new Promise((resolve, reject) => {
    const pipeline = module.pipeline(url, options, ({ statusCode, headers, body: answer }) => {
      resolve({ statusCode, headers, trailers: {}, body: pipeline })
      return answer
    })
    pipeline.on('error', reject)
    if (body === undefined) pipeline.end()
    else if (typeof body === 'string' || body instanceof Uint8Array) pipeline.end(body)
    else Readable.from(body as AsyncIterable<Uint8Array>).pipe(pipeline)
  })
}
