import type { RunQuery, RunSummary } from './run-summary.ts'

/** How many words of an error are indexed. */
const MOST_WORDS = 32

/** Everything that a run can be found by, each as one text: `agent=support`, `tag:user=42`. */
export function termsOf(summary: RunSummary): string[] {
  const { agent, agentVersion, status, traceId, tags, models, tools, error, repeatedSideEffects, flags } = summary
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
  ]
  return [...new Set(terms)]
}

/** The terms that a run has to have. Times and paging are not terms. */
export function termsOfQuery(query: RunQuery): string[] {
  const { agent, agentVersion, status, traceId, tags = {}, model, tool, error, repeatedSideEffects, flagged } = query
  return [
    ...(agent === undefined ? [] : [`agent=${agent}`]),
    ...(status === undefined ? [] : [`status=${status}`]),
    ...(traceId === undefined ? [] : [`trace=${traceId}`]),
    ...(agentVersion === undefined ? [] : [`version=${agentVersion}`]),
    ...Object.entries(tags).map(termOfTag),
    ...(model === undefined ? [] : [`model=${model}`]),
    ...(tool === undefined ? [] : [`tool=${tool}`]),
    ...(error === undefined ? [] : wordsOf(error).map((word) => `error~${word}`)),
    ...(repeatedSideEffects === true ? ['repeated'] : []),
    ...(flagged === true ? ['flagged'] : []),
  ]
}

/** Whether a run matches a query, without regard to `limit`. */
export function isFound(summary: RunSummary, query: RunQuery): boolean {
  const { since, before } = query
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
