import { existsSync } from 'node:fs'
import { inputText } from '../replay/traces/input-text.ts'
import { readTrace } from '../replay/traces/read-trace.ts'
import { DEFAULT_STORE, toStore } from '../stores/default-store.ts'
import type { Trace } from '../trace/trace.ts'

/** How many of the newest recordings are looked at: each is read. */
const looked = 10

/**
 * The newest recording that could replace a golden: of the same agent, with the same input, newer than the golden, ended, and made by the world: the
 * answers of a fork may be invented.
 *
 * @returns Its id. Undefined if there is none, for an incident, and without recordings in `.goldenrun/runs`.
 */
export async function findNewerRecording(trace: Trace): Promise<string | undefined> {
  const { agent, golden } = trace.header
  if (golden === undefined || golden.expect.replay === 'departs' || !existsSync(DEFAULT_STORE)) return undefined
  const since = golden.rebasedAt ?? golden.promotedAt
  const { store } = toStore()
  const found = await store.find?.({ agent, limit: looked, ...(since === '' ? {} : { since }) }).catch(() => undefined)
  const candidates = found?.runs.filter(({ id, status }) => id !== golden.promotedFrom && status !== 'in-flight') ?? []
  const input = inputText(trace)
  for (const { id } of candidates) {
    const newer = await readTrace(id).catch(() => undefined)
    if (newer !== undefined && newer.header.forkedFrom === undefined && inputText(newer) === input) return id
  }
  return undefined
}
