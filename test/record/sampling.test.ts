import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { expect, it, vi } from 'vitest'
import { startProvider } from '../../examples/world/provider.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import type { Recorder } from '../../src/record/recorder-types.ts'
import type { SampleOptions } from '../../src/record/sampling/sample-options.ts'
import { shareOf } from '../../src/record/sampling/share.ts'
import { currentRun } from '../../src/run/current-run.ts'
import { tool } from '../../src/run/tool.ts'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'
import type { RunSummary } from '../../src/stores/run-summary.ts'
import type { TraceStore } from '../../src/stores/trace-store.ts'
import { collectWarnings } from '../support/collect-warnings.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

const warnings = collectWarnings()

const refund = tool('refund', { effect: 'write' }, async (order: string) => order)
const look = tool('look', { effect: 'read' }, async (order: string) => order)

/** What agents do, by name. */
const agents = {
  ordinary: async () => look('ord_1'),
  failing: async () => {
    await look('ord_1')
    throw new Error('no luck')
  },
  flagged: async () => currentRun()?.flag('look at this'),
  repeating: async () => {
    await refund('ord_1')
    await refund('ord_1')
  },
  slow: async () => {
    await look('ord_1')
    await new Promise((resolve) => setTimeout(resolve, 60))
  },
  long: async () => {
    for (let step = 0; step < 6; step += 1) await look('ord_1')
  },
} as const

type Agent = keyof typeof agents

interface Run {
  readonly agent: Agent
  readonly tags?: Readonly<Record<string, string>>
  readonly agentVersion?: string
}

async function runAll(recorder: Recorder, runs: readonly Run[]): Promise<void> {
  for (const run of runs) await recorder.run({ input: {}, ...run }, agents[run.agent] as () => Promise<unknown>).catch(() => undefined)
}

/** The agents whose runs are kept of those, by name (some start within a millisecond); what else the directory holds is found, too. */
async function keptOf(sample: SampleOptions, runs: readonly Run[]): Promise<{ kept: string[]; files: number; sampledOut: number }> {
  await using project = await createTemporaryDirectory()
  const recorder = createRecorder({ store: project.resolve('runs'), sample })
  await runAll(recorder, runs)
  await recorder.close()
  const { runs: found, files } = await findIndexed(project.resolve('runs'))
  return {
    kept: found.map(({ agent, agentVersion = '' }) => `${agent}${agentVersion}`).toSorted(),
    files,
    sampledOut: recorder.stats().sampledOut,
  }
}

/** The runs in the index of a directory, once they are as many as its files: the thread brings it up to date a moment after them. */
async function findIndexed(directory: string): Promise<{ runs: readonly RunSummary[]; files: number }> {
  const files = existsSync(directory) ? readdirSync(directory).filter((name) => name !== 'index').length : 0
  const runs = await vi.waitFor(async () => {
    const found = await createDirectoryStore(directory).find({ indexedOnly: true })
    expect(found.runs).toHaveLength(files)
    return found.runs
  }, 5_000)
  return { runs, files }
}

const everyAgent = Object.keys(agents).map((agent) => ({ agent: agent as Agent }))

it('keeps every run where nothing is said', async () => {
  expect(await keptOf({}, everyAgent)).toEqual({ kept: Object.keys(agents).toSorted(), files: 6, sampledOut: 0 })
})

it('keeps failed and flagged runs and those that repeat a side effect, and of the rest its share, leaving nothing behind', async () => {
  expect(await keptOf({ rest: 0 }, everyAgent)).toEqual({ kept: ['failing', 'flagged', 'repeating'], files: 3, sampledOut: 3 })
})

it.each<[rule: string, sample: SampleOptions, kept: string[]]>([
  ['failed runs only', { rest: 0, flagged: 0, repeatedSideEffects: 0 }, ['failing']],
  ['flagged runs only', { rest: 0, errors: 0, repeatedSideEffects: 0 }, ['flagged']],
  ['runs that repeat a side effect only', { rest: 0, errors: 0, flagged: 0 }, ['repeating']],
  ['slow runs', { rest: 0, errors: 0, flagged: 0, repeatedSideEffects: 0, slowerThan: '50ms' }, ['slow']],
  ['long runs', { rest: 0, errors: 0, flagged: 0, repeatedSideEffects: 0, moreStepsThan: 5 }, ['long']],
  [
    'what its function says of the finished run',
    { rest: 0, errors: 0, flagged: 0, repeatedSideEffects: 0, keep: ({ tools, steps }) => tools.includes('look') && steps === 1 },
    ['ordinary', 'failing', 'slow'],
  ],
  ['ordinary runs only', { rest: 1, errors: 0, flagged: 0, repeatedSideEffects: 0 }, ['ordinary', 'slow', 'long']],
  ['no run of which none is recorded', { head: 0 }, []],
])('keeps %s', async (_rule, sample, kept) => {
  expect(await keptOf(sample, everyAgent)).toEqual({ kept: kept.toSorted(), files: kept.length, sampledOut: 6 - kept.length })
})

it('keeps expensive runs', async () => {
  const tokens = [30, 300]
  const script = (): { text: string; usage: { inputTokens: number; outputTokens: number } } => {
    return { text: 'Hello.', usage: { inputTokens: tokens.shift() ?? 0, outputTokens: 4 } }
  }
  await using provider = await startProvider({ script })
  await using project = await createTemporaryDirectory()
  const store = createDirectoryStore(project.resolve('runs'))
  const recorder = createRecorder({ store, sample: { rest: 0, moreTokensThan: 303 } })
  const body = JSON.stringify({ model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hi' }] })
  const ask = async (): Promise<string> => (await fetch(`${provider.openaiBaseUrl}/chat/completions`, { method: 'POST', body })).text()
  await recorder.run({ agent: 'cheap', input: {} }, ask)
  await recorder.run({ agent: 'expensive', input: {} }, ask)
  await recorder.close()
  expect((await store.find({})).runs).toMatchObject([{ agent: 'expensive', usage: { inputTokens: 300, outputTokens: 4 } }])
})

it('keeps runs by their tags', async () => {
  const tagged = (tags: Readonly<Record<string, string>>): Run => ({ agent: 'ordinary', agentVersion: JSON.stringify(tags), tags })
  const runs = [tagged({ plan: 'enterprise' }), tagged({ plan: 'free' }), tagged({ beta: '' }), tagged({ constructor: 'x' })]
  expect((await keptOf({ rest: 0, tags: { plan: 'enterprise', beta: true, toString: true } as never }, runs)).kept).toEqual([
    'ordinary{"beta":""}',
    'ordinary{"plan":"enterprise"}',
  ])
})

it('keeps the first runs of a version that the store has fewer of, and knows it again in another process', async () => {
  await using project = await createTemporaryDirectory()
  const directory = project.resolve('runs')
  const record = async (versions: readonly string[]): Promise<string[]> => {
    const recorder = createRecorder({ store: directory, sample: { rest: 0, newVersions: 2 } })
    for (const agentVersion of versions) {
      await runAll(recorder, [{ agent: 'ordinary', agentVersion }])
      // What the store has is asked for when a version is met first.
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await recorder.close()
    const { runs } = await createDirectoryStore(directory).find({})
    return runs.map(({ agentVersion = '' }) => agentVersion).toReversed()
  }
  expect(await record(['1', '1', '1', '2'])).toEqual(['1', '1', '2'])
  const versions = await record(['1', '1', '2', '2', '3'])
  expect(versions.filter((version) => version !== '1')).toEqual(['2', '2', '3'])
  // One that ends before the store has answered is kept.
  expect([2, 3]).toContain(versions.length - 3)
})

it('decides by the trace id alone: the same on every machine, even over ids', () => {
  // Worked out by another program, in arithmetic without 32-bit operations.
  expect(shareOf('4bf92f3577b34da6a3ce929d0e0e4736')).toBe(0.8814454493112862)
  const ids = Array.from({ length: 20_000 }, (_, index) => createHash('md5').update(`run ${index}`).digest('hex'))
  const counted = Array.from({ length: 20 }, (_, index) => index.toString(16).padStart(32, '0'))
  for (const [share, tolerance] of [
    [0.05, 0.006],
    [0.5, 0.015],
  ] as const) {
    const part = ids.filter((id) => shareOf(id) < share).length / ids.length
    expect(Math.abs(part - share)).toBeLessThan(tolerance)
  }
  expect(new Set(counted.map((id) => Math.floor(shareOf(id) * 10))).size).toBeGreaterThan(6)
})

it('keeps the runs in its share and no others', async () => {
  await using project = await createTemporaryDirectory()
  const seen: RunSummary[] = []
  const store = createDirectoryStore(project.resolve('runs'))
  const keep = (run: RunSummary): boolean => seen.push(run) === 0
  const recorder = createRecorder({ store, sample: { rest: 0.4, keep } })
  await runAll(
    recorder,
    Array.from({ length: 40 }, () => ({ agent: 'ordinary' })),
  )
  await recorder.close()
  const expected = seen.filter(({ traceId }) => shareOf(traceId) < 0.4).map(({ id }) => id)
  expect(seen).toHaveLength(40)
  expect((await store.find({})).runs.map(({ id }) => id)).toEqual(expected.toSorted().toReversed())
  expect(recorder.stats()).toMatchObject({ recorded: expected.length, sampledOut: 40 - expected.length })
})

it('decides alike where a thread of its own writes the recordings, and leaves nothing behind', async () => {
  await using project = await createTemporaryDirectory()
  const recorder = createRecorder({ store: project.resolve('runs'), sample: { rest: 0, errors: 1 } })
  await vi.waitUntil(async () => {
    await runAll(recorder, [{ agent: 'ordinary' }])
    // What the agent's own thread writes never waits.
    return recorder.stats().waitingBytes > 0
  })
  await runAll(recorder, everyAgent)
  await recorder.close()
  const { runs } = await findIndexed(project.resolve('runs'))
  expect(runs.map(({ agent }) => agent).toSorted()).toEqual(['failing', 'flagged', 'repeating'])
  expect(await createDirectoryStore(project.resolve('runs')).list()).toEqual(runs.map(({ id }) => id).toSorted())
  expect(recorder.stats()).toMatchObject({ recorded: 3, failed: 0 })
})

it('keeps a run where its function throws, and says so once', async () => {
  const keep = (): never => {
    throw new Error('a mistake')
  }
  expect((await keptOf({ rest: 0, keep }, [{ agent: 'ordinary' }, { agent: 'ordinary' }])).kept).toHaveLength(2)
  await new Promise((resolve) => setImmediate(resolve))
  expect(warnings).toEqual([
    'goldenrun: kept a run because the function "keep" of sample threw: Error: a mistake. Further failures are not reported; the run itself is not affected.',
  ])
})

it('keeps every run of a store whose recordings cannot be discarded', () => {
  const store: TraceStore = {
    open: () => ({ write: () => undefined, flush: () => undefined, close: () => undefined }),
    list: async () => [],
    read: async () => undefined,
  }
  expect(() => createRecorder({ store, sample: { newVersions: 5 } })).toThrow(
    'createRecorder: the option "sample" has "newVersions", which needs a store that can find runs; this one has no "find".',
  )
})

it.each<[sample: unknown, problem: string]>([
  [{ rest: 2 }, 'has to have a number from 0 to 1 as "rest".'],
  [{ errors: '1' }, 'has to have a number from 0 to 1 as "errors".'],
  [{ slowerThan: '30' }, 'has to have a duration such as "90s", "12h" or "30d" as "slowerThan".'],
  [{ moreTokensThan: -1 }, 'has to have a number as "moreTokensThan".'],
  [{ keep: true }, 'has to have a function as "keep".'],
  [
    { tail: 1 },
    'takes head, errors, flagged, repeatedSideEffects, rest, moreTokensThan, moreStepsThan, newVersions, slowerThan, tags, keep, not "tail".',
  ],
])('refuses %j', (sample, problem) => {
  expect(() => createRecorder({ store: 'runs', sample: sample as SampleOptions })).toThrow(`createRecorder: the option "sample" ${problem}`)
})
