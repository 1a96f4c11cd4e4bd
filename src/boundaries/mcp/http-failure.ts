/** An answer of an MCP server that is not one of the protocol. */
export interface FailedAnswer {
  readonly status: number
  readonly statusText: string
  readonly contentType: string
  readonly body: string
}

/** A request that an MCP server has answered with a status of HTTP. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'
  readonly http: FailedAnswer

  constructor(http: FailedAnswer) {
    super(`the server answered with status ${http.status}`)
    this.http = http
  }
}

/** The answer of a request that failed like that, recorded or not. */
export function failedAnswerOf(error: unknown): FailedAnswer | undefined {
  if (!(error instanceof Error) || error.name !== 'HttpFailure') return undefined
  return Reflect.get(error, 'http') as FailedAnswer | undefined
}
