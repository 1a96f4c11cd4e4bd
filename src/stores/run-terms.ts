import { toKeptKey } from './run-effects.ts'
import type { RunEffect, RunQuery, RunStatus, RunSummary } from './run-summary.ts'

/** How many words of an error are indexed. */
const MOST_WORDS = 32

/** Returns everything that a run can be found by, each as one text: `agent=support`, `tag:user=42`. */
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

/** Returns the terms that a run has to have. Times, paging and several statuses are not terms: see `statusesOf`. */
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

/** The prefix of side effects' terms, and of no others. */
export const EFFECT_TERM = 'key='

/** Returns the term of a side effect. Side effects with the same idempotency key share it, whatever their names. */
export function termOfEffect({ key, hash = '' }: Pick<RunEffect, 'key' | 'hash'>): string {
  return key === undefined ? `${EFFECT_TERM}#${hash}` : termOfKey(key)
}

function termOfKey(key: string): string {
  return `${EFFECT_TERM}${JSON.stringify(key)}`
}

/** Returns the statuses that a run may have; undefined for any. */
export function statusesOf({ status }: RunQuery): readonly RunStatus[] | undefined {
  return typeof status === 'string' ? [status] : status
}

/** Returns the term of a run's status. */
export function termOfStatus(status: RunStatus): string {
  return `status=${status}`
}

/** Returns whether a run matches a query, ignoring `limit` and `sample`. */
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
