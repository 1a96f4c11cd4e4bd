import type { HttpInput, HttpOutput } from '../trace/rows.ts'
import type { Step } from '../trace/trace.ts'
import { recordOf } from './json-fields.ts'
import { urlPath } from './url-path.ts'

/** OpenAI, Azure and gateways: `GET …/responses/resp_1`, by which a client asks how a response in the background goes. */
const polled = /\/responses\/(?<id>resp_[\w-]+)$/

/** The response that a request asks after; undefined for any other request. */
export function polledResponse({ method, url }: Pick<HttpInput, 'method' | 'url'>): string | undefined {
  return method === 'GET' ? polled.exec(urlPath(url))?.groups?.['id'] : undefined
}

/**
 * The answers of model calls that go on in the background: what their last poll was answered, by the number of the call. A poll is a step of its own and no
 * model call; what it brings belongs to the call that it asks after.
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

/** The id of a response that was not through when it was answered: what the client polls for. */
function idOfUnfinished(output: unknown): string | undefined {
  const { status, id } = recordOf(recordOf(output)['json'])
  return (status === 'queued' || status === 'in_progress') && typeof id === 'string' ? id : undefined
}
