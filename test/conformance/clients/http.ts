import http, { get as namedGet, type ClientRequest, type IncomingMessage, type RequestOptions, request as namedRequest } from 'node:http'
import https from 'node:https'
import { type Client, type ClientSource, isForm, type Received, type Sent } from '../client.ts'

type Request = (url: string, options: RequestOptions, received: (message: IncomingMessage) => void) => ClientRequest

const boundary = 'conformance-boundary'

/** `http.request` by named import, on the global agent. */
export const httpRequest: ClientSource = async () => createHttpClient(namedRequest)

/** `http.get`; what it cannot send goes out by `http.request`. */
export const httpGet: ClientSource = async () =>
  createHttpClient((url, options, received) => (options.method === 'GET' ? namedGet : http.request)(url, options, received))

/** `http.request` with an agent of its own that keeps connections alive. */
export const httpAgent: ClientSource = async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 4 })
  return { ...createHttpClient(http.request, { agent }), close: () => agent.destroy() }
}

/** `http.request` without an agent. */
export const httpWithoutAgent: ClientSource = async () => createHttpClient(http.request, { agent: false })

/** `https.request`. */
export const httpsRequest: ClientSource = async () => createHttpClient(https.request, { rejectUnauthorized: false })

/** `https.request` with an agent of its own that keeps connections alive. */
export const httpsAgent: ClientSource = async () => {
  const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false })
  return { ...createHttpClient(https.request, { agent }), close: () => agent.destroy() }
}

function createHttpClient(request: Request, options: RequestOptions & https.RequestOptions = {}): Client {
  return {
    lacks: ['follow', 'clone', 'tee', 'decode'],
    send: (sent) => send(request, options, sent),
  }
}

function send(request: Request, options: RequestOptions, sent: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const { url, method = 'GET', body, signal } = sent
    const headers = { ...sent.headers, ...(isForm(body) ? { 'content-type': `multipart/form-data; boundary=${boundary}` } : {}) }
    const outgoing = request(url, { ...options, method, headers, ...(signal === undefined ? {} : { signal }) }, (message) =>
      resolve(toReceived(message)),
    )
    outgoing.on('error', reject)
    void write(outgoing, body).catch(reject)
  })
}

async function write(outgoing: ClientRequest, body: Sent['body']): Promise<void> {
  if (isForm(body)) {
    outgoing.write(`--${boundary}\r\ncontent-disposition: form-data; name="field"\r\n\r\n${body.field}\r\n`)
    outgoing.write(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="file.bin"\r\n`)
    outgoing.write('content-type: application/octet-stream\r\n\r\n')
    outgoing.write(body.file)
    outgoing.write(`\r\n--${boundary}--\r\n`)
  } else if (typeof body === 'string' || body instanceof Uint8Array) {
    outgoing.write(body)
  } else if (body !== undefined) {
    for await (const piece of body) outgoing.write(piece)
  }
  outgoing.end()
}

/** What was received, of a Node message. */
function toReceived(message: IncomingMessage): Received {
  return {
    status: message.statusCode ?? 0,
    header: (name) => message.headersDistinct[name]?.join(', '),
    body: message,
    async text() {
      let text = ''
      message.setEncoding('latin1')
      for await (const piece of message) text += piece
      return text
    },
    trailers: () => message.trailers,
  }
}
