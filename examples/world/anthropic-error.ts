import type { TurnError } from './turn.ts'

const USUAL_ERRORS: Readonly<Record<number, Required<Pick<TurnError, 'type' | 'message'>>>> = {
  400: { type: 'invalid_request_error', message: 'The request is invalid.' },
  401: { type: 'authentication_error', message: 'invalid x-api-key' },
  403: { type: 'permission_error', message: 'Your API key does not have permission to use the specified resource.' },
  404: { type: 'not_found_error', message: 'The requested resource could not be found.' },
  413: { type: 'request_too_large', message: 'Request exceeds the maximum allowed number of bytes.' },
  429: { type: 'rate_limit_error', message: 'This request would exceed your rate limit.' },
  529: { type: 'overloaded_error', message: 'Overloaded' },
}

/**
 * An error as Anthropic words it: `{ type: 'error', error: { type, message }, request_id }`. Shape as in a recorded 400; the types by status
 * are those of the API reference's list of errors.
 */
export function anthropicError(status: number, said: TurnError, requestId: string): unknown {
  const usual = USUAL_ERRORS[status] ?? { type: 'api_error', message: 'Internal server error' }
  return { type: 'error', error: { type: said.type ?? usual.type, message: said.message ?? usual.message }, request_id: requestId }
}
