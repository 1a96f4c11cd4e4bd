import type { TurnError } from './turn.ts'

const USUAL_ERRORS: Readonly<Record<number, Required<TurnError>>> = {
  400: { type: 'invalid_request_error', code: 'invalid_value', message: 'The request is invalid.' },
  401: { type: 'invalid_request_error', code: 'invalid_api_key', message: 'Incorrect API key provided.' },
  404: { type: 'invalid_request_error', code: 'model_not_found', message: 'The model does not exist or you do not have access to it.' },
  429: { type: 'requests', code: 'rate_limit_exceeded', message: 'Rate limit reached for requests.' },
}

/**
 * An error as OpenAI words it: `{ error: { message, type, param, code } }`. Shape, 400, 401 and 404 as in recorded answers, 429 and 5xx by
 * the API reference's list of error codes.
 */
export function openaiError(status: number, error: TurnError): unknown {
  const usual = USUAL_ERRORS[status] ?? {
    type: 'server_error',
    code: null,
    message: 'The server had an error while processing your request.',
  }
  return { error: { message: error.message ?? usual.message, type: error.type ?? usual.type, param: null, code: error.code ?? usual.code } }
}
