import http, { type Agent, type IncomingHttpHeaders, type RequestOptions } from 'node:http'

/** An answer to `http.request`, as axios and its like gather it. */
export interface GatheredAnswer {
  readonly status: number | undefined
  readonly statusText: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** What is sent. */
export interface RequestParts extends Omit<RequestOptions, 'agent'> {
  readonly agent?: Agent
  /** Written piece by piece. */
  readonly body?: readonly (string | Uint8Array)[]
}

/** Asks through `node:http` and gathers the answer, the way axios does. */
export function httpRequest(url: string, { body = [], ...options }: RequestParts = {}): Promise<GatheredAnswer> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, options, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status, statusMessage: statusText, headers } = response
        resolve({ status, statusText, headers, body: Buffer.concat(pieces) })
      })
    })
    request.on('error', reject)
    for (const piece of body) request.write(piece)
    request.end()
  })
}
