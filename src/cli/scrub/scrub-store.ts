import { createRedactor } from '../../redaction/redactor.ts'
import type { RuleSet } from '../../redaction/rule-set.ts'
import { readTraceText } from '../../replay/traces/read-trace-text.ts'
import { LogFrames } from '../../stores/event-log/log-frames.ts'
import { readLog } from '../../stores/event-log/read-log.ts'
import { everyRun } from '../../stores/every-run.ts'
import { isUnderWay } from '../../stores/retention.ts'
import type { RunSummary } from '../../stores/run-summary.ts'
import { toStoredLog } from '../../stores/stored-log.ts'
import { summarizeRecording } from '../../stores/summarize-recording.ts'
import type { StoredTrace, TraceStore } from '../../stores/trace-store.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import type { Row } from '../../trace/rows.ts'
import { findSecrets } from '../golden-findings.ts'
import type { StoreTier } from '../store-tiers.ts'
import { type Unreadable, UnreadableRuns } from '../unreadable.ts'
import { scrubTrace } from './scrub-trace.ts'

/** A recording in which the rules find something, or whose row in the index is not up to date. */
export interface FoundRecording {
  readonly id: string
  readonly tier: StoreTier
  readonly file: string
  /** How many values get a stand-in. 0 if only the index has some left. */
  readonly values: number
  /** Where they are. */
  readonly places: readonly string[]
}

/** What the rules find in a store. */
export interface FoundRecordings {
  readonly recordings: readonly FoundRecording[]
  /** How many recordings were searched. */
  readonly searched: number
  /** Runs that may still be written. */
  readonly underWay: readonly string[]
  readonly unreadable: readonly Unreadable[]
  /** Texts that recordings share and that stay, in which the rules find something. */
  readonly shared: readonly string[]
  /** Runs whose flags stay, in which the rules find something. */
  readonly flagged: readonly string[]
}

/** Searches the recordings of a store. Changes nothing. */
export async function findInStore(tier: StoreTier, ruleSet: RuleSet, tell: (text: string) => void): Promise<FoundRecordings> {
  return tier.store.replaceEach === undefined
    ? findInEach(tier, ruleSet, tell)
    : findByPack(tier, tier.store.replaceEach.bind(tier.store), ruleSet, tell)
}

async function findByPack(
  tier: StoreTier,
  replaceEach: NonNullable<TraceStore['replaceEach']>,
  ruleSet: RuleSet,
  tell: (text: string) => void,
): Promise<FoundRecordings> {
  const recordings = new Map<string, FoundRecording>()
  const searched = new Set<string>()
  const shared: string[] = []
  const flagged: string[] = []
  const unreadable: Unreadable[] = []
  const look = async (stored: StoredTrace & { readonly id: string }): Promise<undefined> => {
    const { id, file } = stored
    if (!searched.has(id) && isFoundIn(stored.flags, ruleSet)) flagged.push(id)
    searched.add(id)
    tell(`Searching recordings: ${searched.size}`)
    try {
      const trace = await readTraceText(stored.text, file)
      const values = scrubTrace(trace, ruleSet)?.values ?? 0
      if (values > 0) recordings.set(id, { id, tier, file, values, places: findSecrets(trace, ruleSet) })
    } catch (error) {
      if (!GoldenrunError.isInstance(error)) throw error
      unreadable.push({ trace: id, code: error.code, message: error.message })
    }
  }
  await replaceEach(look, {
    onShared: (name, text) => {
      if (isFoundIn([text], ruleSet)) shared.push(`${tier.place}: ${name}`)
    },
  })
  return { recordings: [...recordings.values()], searched: searched.size, underWay: [], unreadable, shared, flagged }
}

async function findInEach(tier: StoreTier, ruleSet: RuleSet, tell: (text: string) => void): Promise<FoundRecordings> {
  const recordings: FoundRecording[] = []
  const underWay: string[] = []
  const flagged: string[] = []
  const unreadable: Unreadable[] = []
  const left = new UnreadableRuns(tier.store)
  let searched = 0
  for await (const run of everyRun(tier.store, { complete: true }, { onUnreadable: left.add })) {
    if (isUnderWay(run, Date.now())) {
      underWay.push(run.id)
      continue
    }
    searched += 1
    tell(`Searching recordings: ${searched}`)
    try {
      const stored = await tier.store.read(run.id)
      if (stored === undefined) continue
      if (isFoundIn(stored.flags, ruleSet)) flagged.push(run.id)
      const trace = await readTraceText(stored.text, stored.file)
      const values = scrubTrace(trace, ruleSet)?.values ?? 0
      if (values === 0 && isIndexed(run, summarizeRecording(stored))) continue
      recordings.push({ id: run.id, tier, file: stored.file, values, places: values === 0 ? ['index'] : findSecrets(trace, ruleSet) })
    } catch (error) {
      if (!GoldenrunError.isInstance(error)) throw error
      unreadable.push({ trace: run.id, code: error.code, message: error.message })
    }
  }
  return { recordings, searched, underWay, unreadable: [...unreadable, ...(await left.list())], shared: [], flagged }
}

function isFoundIn(texts: readonly string[] = [], ruleSet: RuleSet): boolean {
  return texts.some((text) => createRedactor({ ruleSet }).text(text) !== text)
}

/** Scrubs recordings of a store. Returns undefined if another process took over. */
export async function scrubInStore(
  { store }: StoreTier,
  ids: readonly string[],
  ruleSet: RuleSet,
  holds: () => Promise<boolean>,
): Promise<number | undefined> {
  if (store.replaceEach !== undefined) {
    const wanted = new Set(ids)
    await store.replaceEach(async ({ id, text, file }) => (wanted.has(id) ? scrubbedText(text, file, ruleSet) : undefined))
    return ids.length
  }
  for (const id of ids) {
    if (!(await holds())) return undefined
    const stored = await store.read(id)
    // It may have been removed since it was searched.
    if (stored === undefined) continue
    const scrubbed = scrubTrace(await readTraceText(stored.text, stored.file), ruleSet)
    if (scrubbed === undefined) store.index?.(summarizeRecording(stored))
    else await replace(store, id, stored, scrubbed.rows)
  }
  await store.flush?.()
  return ids.length
}

/** Returns the JSON Lines of a scrubbed recording; undefined if the rules find nothing. */
async function scrubbedText(text: string, file: string, ruleSet: RuleSet): Promise<string | undefined> {
  const scrubbed = scrubTrace(await readTraceText(text, file), ruleSet)
  return scrubbed && readBack(toLog(scrubbed.rows), file)
}

/** A recording that cannot be read back must not be written. */
async function readBack(log: Uint8Array, file: string): Promise<string> {
  const text = readLog(log, file)
  await readTraceText(text, file)
  return text
}

async function replace(store: StoreTier['store'], id: string, { file }: StoredTrace, rows: readonly Row[]): Promise<void> {
  const bytes = toLog(rows)
  const text = await readBack(bytes, file)
  await store.replace?.(toStoredLog(bytes, { id, file }), summarizeRecording({ file, text }))
}

/** Rows between two frames: a step is found by reading the frames around it. */
const ROWS_IN_FRAME = 100

function toLog(rows: readonly Row[]): Uint8Array {
  const frames = new LogFrames()
  const pieces: Uint8Array[] = []
  for (const [index, row] of rows.entries()) {
    frames.add(row)
    if (index % ROWS_IN_FRAME !== ROWS_IN_FRAME - 1 && index !== rows.length - 1) continue
    const piece = frames.take()
    if (piece !== undefined) pieces.push(piece)
  }
  frames.release()
  return Buffer.concat(pieces)
}

/** Returns whether the index has what a recording says: a killed command may have replaced the recording, and not its row. */
function isIndexed(indexed: RunSummary, { agent, agentVersion, tags, error, tools, effects }: RunSummary): boolean {
  const known = { agent: indexed.agent, agentVersion: indexed.agentVersion, tags: indexed.tags, error: indexed.error }
  const more = { tools: indexed.tools, effects: indexed.effects }
  return JSON.stringify({ ...known, ...more }) === JSON.stringify({ agent, agentVersion, tags, error, tools, effects })
}
