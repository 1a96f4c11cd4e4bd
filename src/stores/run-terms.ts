import { toKeptKey } from './run-effects.ts'
import type { RunEffect, RunQuery, RunStatus, RunSummary } from './run-summary.ts'

/** How many words of an error are indexed. */
const MOST_WORDS = 32

/** Everything that a run can be found by, each as one text: `agent=support`, `tag:user=42`. */
export function termsOf(summary: RunSummary): string[] {
  const { agent, agentVersion, status, traceId, tags, models, tools, error, repeatedSideEffects, flags, effects = [] } = summary
  const terms = [
    `agent=${agent}`,
    `status=${status}`,
    `trace=${traceId}`,
    ...(agentVersion === undefined ? [] : [`version=${agentVersion}`]),
    ...Object.entries(tags).map(termOfTag),
    ...models.map((model) => `model=${model}`),
    ...tools.map((tool) => `tool=${tool}`),
    ...(error === undefined ? [] : wordsOf(`${error.name} ${error.message}`).slice(0, MOST_WORDS)).map((word) => `error~${word}`),
    ...(repeatedSideEffects > 0 ? ['repeated'] : []),
    ...(flags.length > 0 ? ['flagged'] : []),
    ...effects.map(termOfEffect),
  ]
  return [...new Set(terms)]
}

/** The terms that a run has to have. Times and paging are not terms, nor are several statuses: see `statusesOf`. */
export function termsOfQuery(query: RunQuery): string[] {
  const { agent, agentVersion, traceId, tags = {}, model, tool, error, repeatedSideEffects, flagged, idempotencyKey } = query
  const [status, ...others] = statusesOf(query) ?? []
  return [
    ...(agent === undefined ? [] : [`agent=${agent}`]),
    ...(status === undefined || others.length > 0 ? [] : [`status=${status}`]),
    ...(traceId === undefined ? [] : [`trace=${traceId}`]),
    ...(agentVersion === undefined ? [] : [`version=${agentVersion}`]),
    ...Object.entries(tags).map(termOfTag),
    ...(model === undefined ? [] : [`model=${model}`]),
    ...(tool === undefined ? [] : [`tool=${tool}`]),
    ...(error === undefined ? [] : wordsOf(error).map((word) => `error~${word}`)),
    ...(repeatedSideEffects === true ? ['repeated'] : []),
    ...(flagged === true ? ['flagged'] : []),
    ...(idempotencyKey === undefined ? [] : [termOfKey(toKeptKey(idempotencyKey))]),
  ]
}

/** How terms of side effects begin, and no others. */
export const EFFECT_TERM = 'key='

/** The term of a side effect. Those with the same idempotency key share it, whatever their names. */
export function termOfEffect({ key, hash = '' }: Pick<RunEffect, 'key' | 'hash'>): string {
  return key === undefined ? `${EFFECT_TERM}#${hash}` : termOfKey(key)
}

function termOfKey(key: string): string {
  return `${EFFECT_TERM}${JSON.stringify(key)}`
}

/** The statuses of which a run has to have one; undefined if it may have any. */
export function statusesOf({ status }: RunQuery): readonly RunStatus[] | undefined {
  return typeof status === 'string' ? [status] : status
}

/** The term of a run's status. */
export function termOfStatus(status: RunStatus): string {
  return `status=${status}`
}

/** Whether a run matches a query, without regard to `limit` and `sample`. */
export function isFound(summary: RunSummary, query: RunQuery): boolean {
  const { since, until, before } = query
  if (statusesOf(query)?.includes(summary.status) === false) return false
  if (until !== undefined && Date.parse(summary.startedAt) >= Date.parse(until)) return false
  if (since !== undefined && Date.parse(summary.startedAt) < Date.parse(since)) return false
  if (before !== undefined && summary.id >= before) return false
  const terms = new Set(termsOf(summary))
  return termsOfQuery(query).every((term) => terms.has(term))
}

function termOfTag([name, value]: readonly [name: string, value: string]): string {
  return `tag:${JSON.stringify(name)}=${value}`
}

function wordsOf(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [])]
}
