import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type ClientSource, isForm, type Sent, toFormData } from '../client.ts'
import { toReceived } from './fetch-client.ts'

/** axios on its `http` adapter, which is the one that it takes in Node. */
export const axiosClient: ClientSource = async () => {
  const { default: axios } = await import('axios')
  const client = axios.create({ validateStatus: () => true })
  return {
    lacks: ['clone', 'tee', 'trailers', 'below'],
    async send({ url, method = 'GET', headers, body, redirect = 'manual', signal }) {
      const { Readable: Pieces } = await import('node:stream')
      const answer = await client.request<Readable>({
        url,
        method,
        headers: { ...headers },
        data:
          body === undefined
            ? undefined
            : isForm(body)
              ? toFormData(body)
              : typeof body === 'string'
                ? body
                : isBytes(body)
                  ? Buffer.from(body)
                  : Pieces.from(body),
        responseType: 'stream',
        maxRedirects: redirect === 'follow' ? 5 : 0,
        ...(signal === undefined ? {} : { signal }),
      })
      const read = (name: string): string | undefined => {
        const value = answer.headers[name] as string | null | undefined
        return value ?? undefined
      }
      return { status: answer.status, header: read, body: answer.data, text: () => text(answer.data) }
    },
  }
}

/** axios on its `fetch` adapter. */
export const axiosFetchClient: ClientSource = async () => {
  const { default: axios } = await import('axios')
  const client = axios.create({ adapter: 'fetch', validateStatus: () => true })
  return {
    // Its adapter hands out the body of a Response, not the Response; and sends a form with the content type of another kind.
    lacks: ['clone', 'tee', 'trailers', 'manual', 'upload', 'form'],
    async send({ url, method = 'GET', headers, body, signal }) {
      const answer = await client.request<ReadableStream<Uint8Array>>({
        url,
        method,
        headers: { ...headers },
        data: isForm(body) ? toFormData(body) : body,
        responseType: 'stream',
        ...(signal === undefined ? {} : { signal }),
      })
      const response = new Response([204, 304].includes(answer.status) ? null : answer.data, { status: answer.status })
      const read = (name: string): string | undefined => {
        const value = answer.headers[name] as string | null | undefined
        return value ?? undefined
      }
      return { ...toReceived(response), header: read, url: '', redirected: false }
    },
  }
}

/** got: its promise for a body that is wanted whole would be read by it, so each answer is taken as a stream. */
export const gotClient: ClientSource = async () => {
  const { default: got } = await import('got')
  const { Readable: Pieces } = await import('node:stream')
  const client = got.extend({ retry: { limit: 0 }, throwHttpErrors: false })
  return {
    lacks: ['clone', 'tee', 'trailers', 'below'],
    send: ({ url, method = 'GET', headers, body, redirect = 'manual', signal }) =>
      new Promise((resolve, reject) => {
        const stream = client.stream(url, {
          method: method as 'GET',
          headers: { ...headers },
          followRedirect: redirect === 'follow',
          methodRewriting: true,
          ...(body === undefined
            ? {}
            : { body: isForm(body) ? toFormData(body) : typeof body === 'string' || isBytes(body) ? body : Pieces.from(body) }),
          ...(signal === undefined ? {} : { signal }),
        })
        stream.once('error', reject)
        stream.once('response', (response: { statusCode: number; headers: Record<string, string | string[] | undefined>; url: string }) => {
          stream.off('error', reject)
          resolve({
            status: response.statusCode,
            header: (name) => response.headers[name]?.toString(),
            url: response.url,
            body: stream,
            text: () => text(stream),
          })
        })
      }),
  }
}

function isBytes(body: NonNullable<Sent['body']>): body is Uint8Array {
  return body instanceof Uint8Array
}
