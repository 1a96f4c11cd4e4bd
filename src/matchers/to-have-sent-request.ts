import { cutText, printValue } from '../divergence/print-value.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import { OptionsError } from '../trace/errors/options-error.ts'
import { toRequestPattern } from '../trace/requests/request-pattern.ts'
import type { HttpInput } from '../trace/rows.ts'
import type { Step } from '../trace/trace.ts'
import { numberedList } from './call-list.ts'
import type { MatchContext, Matcher } from './matcher-types.ts'

/** A request of a run, with its step. */
interface SentRequest {
  readonly step: number
  readonly input: HttpInput
}

/** The agent sent a request like this, with at least this body. */
export const toHaveSentRequest: Matcher<[request: string, body?: unknown]> = (context, run, request, body) => {
  const isLike = typeof request === 'string' ? toRequestPattern(request) : undefined
  if (isLike === undefined) {
    const form = 'has to be a method, a host and a path, such as POST mail.example/v1/*'
    throw new OptionsError('toHaveSentRequest', 'request', `${form}, got ${printValue(request, 60)}.`)
  }
  const sent = run.steps.flatMap(toSentRequest).filter(({ input }) => isLike(input.method, input.url))
  const found = sent.find(({ input }) => body === undefined || holdsBody(context, input, body))
  return {
    pass: found !== undefined,
    message: () => {
      const wanted = `${request}${body === undefined ? '' : ` with ${printValue(body, context.width)}`}`
      if (found !== undefined) return `Expected "${nameOf(run)}" not to send ${wanted}, but step ${found.step} did: ${describe(found)}.`
      const expectation = `Expected "${nameOf(run)}" to send ${wanted}.`
      if (sent.length === 0) return `${expectation} It sent no such request.`
      return `${expectation} It sent with other bodies:\n${numberedList(sent.map(describe), new Map(), context.width)}`
    },
  }
}

function toSentRequest({ step, input }: Step): SentRequest[] {
  const isRequest = typeof input === 'object' && input !== null && 'method' in input && 'url' in input
  return isRequest ? [{ step, input: input as HttpInput }] : []
}

/** A text is looked for in the address and the body as they were sent; anything else is compared with a JSON body, as `toMatchObject` compares. */
function holdsBody({ matches }: MatchContext, { url, json, text }: HttpInput, body: unknown): boolean {
  if (typeof body !== 'string') return matches(json, body)
  return `${url}\n${text ?? JSON.stringify(json ?? null)}`.includes(body)
}

function describe({ input: { method, url, json, text } }: SentRequest): string {
  const body = text ?? (json === undefined ? '' : JSON.stringify(json))
  return cutText(`${method} ${url}${body === '' ? '' : ` ${body}`}`, 200)
}
