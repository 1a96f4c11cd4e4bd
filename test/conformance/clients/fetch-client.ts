import { type Ability, type Client, isForm, type Received, type Sent, toFormData } from '../client.ts'

/** What is called as `fetch` is. */
export type FetchLike = (url: string, init: RequestInit & { readonly duplex?: 'half' }) => Promise<Response>

/** How a Fetch differs from Node's. */
export interface FetchTraits {
  /** Default: none. */
  readonly lacks?: readonly Ability[]
  readonly FormData?: typeof FormData
  /** Handed to each call beside the rest. */
  readonly init?: object
}

/** A client around anything that is called as `fetch` is. */
export function createFetchClient(fetch: FetchLike, { lacks = [], FormData, init = {} }: FetchTraits = {}): Client {
  return {
    lacks: ['trailers', ...lacks],
    async send(sent) {
      const response = await fetch(sent.url, { ...init, ...toInit(sent, FormData) })
      return toReceived(response)
    },
  }
}

/** What was received, of a Fetch `Response`. */
export function toReceived(response: Response): Received {
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    url: response.url,
    redirected: response.redirected,
    // Not every polyfill's body is a ReadableStream, but each can be iterated.
    body: response.body ?? noBody(),
    text: () => response.text(),
    response,
  }
}

function toInit({ method = 'GET', headers, body, redirect = 'manual', signal }: Sent, Data: typeof FormData | undefined): RequestInit {
  return {
    method,
    redirect,
    ...(headers === undefined ? {} : { headers }),
    ...(signal === undefined ? {} : { signal }),
    ...(body === undefined ? {} : { body: toBody(body, Data) }),
    ...(isStream(body) ? { duplex: 'half' } : {}),
  }
}

function toBody(body: NonNullable<Sent['body']>, Data: typeof FormData | undefined): BodyInit {
  if (isForm(body)) return toFormData(body, Data)
  if (isStream(body)) return toStream(body)
  return typeof body === 'string' ? body : body.slice()
}

function toStream(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
  })
}

function isStream(body: Sent['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && Symbol.asyncIterator in body
}

async function* noBody(): AsyncGenerator<Uint8Array> {
  yield* []
}
