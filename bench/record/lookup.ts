import { mkdtempSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import { RunIndex } from '../../src/stores/run-index/run-index.ts'
import { StoreFiles } from '../../src/stores/store-files.ts'
import type { RunQuery, RunSummary } from '../../src/stores/run-summary.ts'

/** The cost of finding runs in a large index. */
export interface LookupCost {
  readonly runs: number
  /** The slowest of the look-ups below, by the median of each, in milliseconds. */
  readonly slowest: { readonly query: string; readonly milliseconds: number }
  /** Medians in milliseconds, by look-up. */
  readonly byQuery: Readonly<Record<string, number>>
  /** The size of a run in the index, in bytes. */
  readonly bytesPerRun: number
  /** How long it took to create the index, in seconds. */
  readonly madeInSeconds: number
}

/** Every filter of `goldenrun list`: filters that match few runs, filters that match many, and some combined. */
const QUERIES: Readonly<Record<string, RunQuery>> = {
  all: {},
  '--agent (half of them)': { agent: 'support' },
  '--agent (none)': { agent: 'nobody' },
  '--agent-version': { agent: 'support', agentVersion: '1.41' },
  '--status threw (2 %)': { status: 'threw' },
  '--status in-flight': { status: 'in-flight' },
  '--tool (half)': { tool: 'get_order' },
  '--tool (1 in 1000)': { tool: 'escalate' },
  '--tag user (10 runs)': { tags: { user: 'user-4242' } },
  '--model': { model: 'gpt-4.1-mini' },
  '--error': { error: 'timed out' },
  '--repeated-side-effects (1 in 500)': { repeatedSideEffects: true },
  '--trace-id': { traceId: traceIdOf(123_456) },
  '--since (the last hour)': { since: new Date(startOf(999_000)).toISOString() },
  '--agent --status --tool --since': {
    agent: 'support',
    status: 'threw',
    tool: 'refund_order',
    since: new Date(startOf(500_000)).toISOString(),
  },
  '--status threw --tool escalate (none)': { status: 'threw', tool: 'escalate', agent: 'triage' },
  '--before (far back)': { agent: 'support', before: idOf(1000) },
}

/** Fills an index with the runs that a fleet makes in a day, and finds runs in it as `goldenrun list` does: the newest hundred. */
export async function measureLookup(runs: number, rounds: number): Promise<LookupCost> {
  const directory = mkdtempSync(path.join(tmpdir(), 'goldenrun-lookup-'))
  try {
    const files = new StoreFiles(directory)
    mkdirSync(path.dirname(files.indexFile), { recursive: true })
    const started = performance.now()
    fill(files.indexFile, runs)
    const madeInSeconds = (performance.now() - started) / 1000
    const store = createDirectoryStore(directory)
    const byQuery: Record<string, number> = {}
    for (const [name, query] of Object.entries(QUERIES)) {
      const times: number[] = []
      for (let round = 0; round < rounds; round += 1) {
        const start = performance.now()
        await store.find({ ...query, limit: 100, indexedOnly: true })
        times.push(performance.now() - start)
      }
      byQuery[name] = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
    }
    const [query, milliseconds] = Object.entries(byQuery).toSorted((a, b) => b[1] - a[1])[0] ?? ['', 0]
    const bytes = ['', '-wal'].reduce((sum, end) => sum + (statSync(`${files.indexFile}${end}`, { throwIfNoEntry: false })?.size ?? 0), 0)
    return { runs, slowest: { query, milliseconds }, byQuery, bytesPerRun: bytes / runs, madeInSeconds }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

function fill(file: string, runs: number): void {
  const index = new RunIndex(file, 1000)
  for (let start = 0; start < runs; start += 10_000) {
    index.transaction(() => {
      for (let number = start; number < Math.min(start + 10_000, runs); number += 1) {
        const summary = makeSummary(number)
        index.put({ id: summary.id, summary, size: 20_000, changed: 1 })
      }
    })
  }
  index.close()
}

/** Creates a run of a day's fleet. Everything in it is derived from its number, so that the index is the same each time. */
function makeSummary(number: number): RunSummary {
  const failed = number % 50 === 7
  const repeated = number % 500 === 3
  return {
    id: idOf(number),
    traceId: traceIdOf(number),
    agent: ['support', 'triage', 'support', 'billing'][number % 4] ?? '',
    agentVersion: `1.${Math.floor(number / 20_000)}`,
    status: number % 20_000 === 19_999 ? 'in-flight' : failed ? 'threw' : 'returned',
    startedAt: new Date(startOf(number)).toISOString(),
    durationMs: 4000,
    steps: 12,
    modelCalls: 6,
    toolCalls: 6,
    models: [number % 3 === 0 ? 'gpt-4.1-mini' : 'gpt-4.1'],
    tools: ['get_order', ...(number % 2 === 0 ? ['refund_order'] : ['search']), ...(number % 1000 === 5 ? ['escalate'] : [])],
    tags: { user: `user-${number % 100_000}`, session: `session-${number}` },
    ...(failed ? { error: { name: 'TimeoutError', message: `The payment API timed out after ${number % 30} s` } } : {}),
    flags: repeated ? ['refund_order: step 3 repeats step 2'] : [],
    repeatedSideEffects: repeated ? 1 : 0,
    usage: { inputTokens: 9000, outputTokens: 800 },
    bytes: 20_000,
  }
}

/** Spreads the starts of runs like a fleet of 1.4 million a day. */
function startOf(number: number): number {
  return Date.UTC(2026, 10, 21) + Math.floor(number * 61.7)
}

function idOf(number: number): string {
  const [date = '', time = ''] = new Date(startOf(number)).toISOString().split('T')
  return `${date.replaceAll('-', '')}-${time.replaceAll(/[:.Z]/g, '')}-${((number * 2_654_435_761) >>> 0).toString(16).padStart(8, '0')}`
}

function traceIdOf(number: number): string {
  return `${((number * 2_654_435_761) >>> 0).toString(16).padStart(8, '0')}${number.toString(16).padStart(24, '0')}`
}
