import type { HttpInput, HttpOutput } from '../trace/rows.ts'
import type { Step } from '../trace/trace.ts'
import { recordOf } from './json-fields.ts'
import { urlPath } from './url-path.ts'

/** OpenAI, Azure and gateways: `GET …/responses/resp_1`, with which a client polls a background response. */
const polled = /\/responses\/(?<id>resp_[\w-]+)$/

/** Returns the response that a request polls; undefined for any other request. */
export function polledResponse({ method, url }: Pick<HttpInput, 'method' | 'url'>): string | undefined {
  return method === 'GET' ? polled.exec(urlPath(url))?.groups?.['id'] : undefined
}

/**
 * Returns the answers of model calls that continue in the background: the answer to their last poll, by the number of the call. A poll is a step of
 * its own and not a model call, but its result belongs to the call that it polls.
 *
 * @see https://platform.openai.com/docs/guides/background
 */
export function polledAnswers(steps: Iterable<Step>): ReadonlyMap<number, HttpOutput> {
  const waiting = new Map<string, number>()
  const answers = new Map<number, HttpOutput>()
  for (const step of steps) {
    if (step.name === 'openai.responses') {
      const id = idOfUnfinished(step.output)
      if (id !== undefined) waiting.set(id, step.step)
    } else if (step.boundary === 'http') {
      const call = waiting.get(polledResponse(step.input as HttpInput) ?? '')
      const output = step.output as HttpOutput | undefined
      if (call !== undefined && output?.status === 200) answers.set(call, output)
    }
  }
  return answers
}

/** Returns the id of a response that was not finished when it was answered: the client polls for it. */
function idOfUnfinished(output: unknown): string | undefined {
  const { status, id } = recordOf(recordOf(output)['json'])
  return (status === 'queued' || status === 'in_progress') && typeof id === 'string' ? id : undefined
}
