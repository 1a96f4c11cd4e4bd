import type { RunSummary } from '../run-summary.ts'
import { parseJson } from '../../trace/json.ts'

/** SQLite's error number of a corrupted file (`SQLITE_CORRUPT`). */
const CORRUPT = 11

type Check = (value: unknown) => boolean
const isText: Check = (value) => typeof value === 'string'
const isCount: Check = (value) => typeof value === 'number' && value >= 0
const isTexts: Check = (value) => Array.isArray(value) && value.every(isText)
const isFields =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === 'object' && value !== null && Object.entries(checks).every(([name, check]) => check(Reflect.get(value, name)))
const maybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)

const isEffect = isFields({ name: isText, key: maybe(isText), hash: maybe(isText), step: isCount, at: isCount })

/** Checks that a value is a summary: an unchecked row may hold anything. */
export const isSummary: Check = isFields({
  id: isText,
  traceId: isText,
  agent: isText,
  agentVersion: maybe(isText),
  status: (value) => value === 'returned' || value === 'threw' || value === 'in-flight',
  startedAt: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  durationMs: maybe(isCount),
  steps: isCount,
  modelCalls: isCount,
  toolCalls: isCount,
  models: isTexts,
  tools: isTexts,
  tags: (value) => typeof value === 'object' && value !== null && Object.values(value).every(isText),
  error: maybe(isFields({ name: isText, message: isText })),
  flags: isTexts,
  repeatedSideEffects: isCount,
  effects: maybe((value) => Array.isArray(value) && value.every(isEffect)),
  usage: isFields({ inputTokens: isCount, outputTokens: isCount }),
  bytes: maybe(isCount),
})

/**
 * Parses the summary in a row of the index.
 *
 * @throws Error with the code of a corrupted file if the summary is invalid, so that the index is rebuilt.
 */
export function readSummary(text: string): RunSummary {
  const summary = parseJson(text)
  if (isSummary(summary)) return summary as RunSummary
  throw Object.assign(new Error('a row of the index is corrupted'), { errcode: CORRUPT })
}
