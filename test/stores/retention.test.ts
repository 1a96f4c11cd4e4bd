import { expect, it } from 'vitest'
import { checkRetentionOptions, createRetention, fitsWithin, retentionFor, type RetentionOptions } from '../../src/stores/retention.ts'
import type { RunSummary } from '../../src/stores/run-summary.ts'

const day = 86_400_000
const now = Date.parse('2026-11-21T00:00:00.000Z')

/** A run that started so many days ago. */
function run(id: string, days: number, fields: Partial<RunSummary> = {}): RunSummary {
  return {
    id,
    traceId: id,
    agent: 'support',
    status: 'returned',
    startedAt: new Date(now - days * day).toISOString(),
    steps: 0,
    modelCalls: 0,
    toolCalls: 0,
    models: [],
    tools: [],
    tags: {},
    flags: [],
    repeatedSideEffects: 0,
    usage: { inputTokens: 0, outputTokens: 0 },
    bytes: 1000,
    ...fields,
  }
}

const runs = [
  run('new', 1),
  run('failed', 5, { status: 'threw' }),
  run('flagged', 6, { flags: ['look'], status: 'threw' }),
  run('test', 7, { tags: { origin: 'test' } }),
  run('free', 8, { tags: { plan: 'free' } }),
  run('died', 9, { status: 'in-flight' }),
  run('promoted', 10, { flags: ['look'] }),
  run('old', 40),
  run('old and failed', 41, { status: 'threw' }),
]

function expired(options: RetentionOptions): string[] {
  const retention = createRetention(options, new Set(['promoted']), now)
  return runs.flatMap((candidate) => retention.expires(candidate)?.run.id ?? [])
}

it.each<[options: RetentionOptions, expected: string[]]>([
  [{}, []],
  [{ successful: '30d' }, ['old']],
  [{ successful: '12h' }, ['new', 'free', 'old']],
  [{ failed: '4d' }, ['failed', 'died', 'old and failed']],
  [{ failed: '30d', successful: '30d' }, ['old', 'old and failed']],
  [{ flagged: '1d' }, ['flagged']],
  [{ test: '1d' }, ['test']],
  [{ promoted: '1d' }, ['promoted']],
  [{ tags: { 'plan=free': '1d' } }, ['free']],
  [{ tags: { 'plan=paid': '1d' } }, []],
  [{ tags: { plan: '1d' }, successful: 'forever' }, ['free']],
  [{ tags: { 'origin=test': '30d', origin: '1d' } }, []],
  [{ successful: '2kB' }, ['old']],
  [{ successful: '2.5kB' }, ['old']],
  [{ successful: '3kB' }, []],
  [{ successful: '7d, 1kB' }, ['free', 'old']],
  [{ successful: '0B' }, ['new', 'free', 'old']],
])('lets go by %j', (options, expected) => {
  expect(expired(options)).toEqual(expected)
})

it('lets go by size of the others where a store does not say how large a run is', () => {
  const { bytes: _, ...unmeasured } = run('unmeasured', 1)
  const retention = createRetention({ successful: '1kB' }, new Set(), now)
  expect([unmeasured, run('first', 2), run('second', 3)].map((candidate) => retention.expires(candidate)?.run.id)).toEqual([
    undefined,
    undefined,
    'second',
  ])
})

it('says why', () => {
  const retention = createRetention({ successful: '7d, 1kB' }, new Set(), now)
  expect(runs.flatMap((candidate) => retention.expires(candidate) ?? []).map(({ rule, why }) => [rule, why])).toEqual([
    ['successful', 'it is older than 7d'],
    ['successful', 'it is older than 7d'],
  ])
  const bySize = createRetention({ successful: '1kB' }, new Set(), now)
  expect(bySize.expires(run('a', 1))).toBe(undefined)
  expect(bySize.expires(run('b', 2))).toMatchObject({ rule: 'successful', why: 'newer ones fill 1kB' })
})

it('keeps a run in flight for a day, whatever is said', () => {
  const retention = createRetention({ failed: '1h, 0B' }, new Set(), now)
  expect(retention.expires(run('running', 0.9, { status: 'in-flight' }))).toBe(undefined)
  expect(retention.expires(run('died', 1.1, { status: 'in-flight' }))).toMatchObject({ rule: 'failed' })
})

it.each<[options: unknown, problem: string]>([
  [
    { failed: '30' },
    'has to have a duration such as "90s", "12h" or "30d", a size such as "500MB" or "5GB", both ("30d, 5GB") or "forever" as "failed".',
  ],
  [
    { failed: '30d, 12h' },
    'has to have a duration such as "90s", "12h" or "30d", a size such as "500MB" or "5GB", both ("30d, 5GB") or "forever" as "failed".',
  ],
  [
    { tags: { 'plan=free': 30 } },
    'has to have a duration such as "90s", "12h" or "30d", a size such as "500MB" or "5GB", both ("30d, 5GB") or "forever" as "plan=free".',
  ],
  // A bucket keeps the runs of a tag's rule and those of a class by their names.
  [{ tags: { flagged: '1d' }, flagged: 'forever' }, 'has a tag "flagged", which is the name of a class: name its values, "flagged=…".'],
  [{ success: '30d' }, 'takes promoted, flagged, test, failed, successful, tags, not "success".'],
])('refuses %j', (options, problem) => {
  expect(() => checkRetentionOptions('createRecorder', options as RetentionOptions)).toThrow(
    `createRecorder: the option "retention" ${problem}`,
  )
})

it.each<[flags: string[], rule: string]>([
  [['promoted as shop/cancel'], 'promoted'],
  [['promoted as shop/cancel', 'no longer promoted as shop/cancel'], 'successful'],
  [['promoted as shop/cancel', 'no longer promoted as shop/other'], 'promoted'],
  [['promoted as shop/a', 'promoted as shop/b', 'no longer promoted as shop/a'], 'promoted'],
  [['promoted as shop/a', 'no longer promoted as shop/a', 'promoted as shop/a'], 'promoted'],
  [['promoted as shop/a', 'no longer promoted as shop/a', 'look'], 'flagged'],
])('goes by the marks of promotions %j', (flags, rule) => {
  expect(createRetention({}, new Set(), now).ruleOf(run('one', 1, { flags }))).toBe(rule)
})

it('holds a directory to 20 GB of successful runs, and removes none of another class for it', () => {
  const size = { bytes: 15e9 }
  const candidates = [
    run('failed', 1, { ...size, status: 'threw' }),
    run('newest', 2, size),
    run('flagged', 3, { ...size, flags: ['look'] }),
    run('second', 4, size),
    run('test', 5, { ...size, tags: { origin: 'test' } }),
    run('kept', 6, { ...size, flags: ['promoted as shop/cancel'] }),
  ]
  const expire = (options: RetentionOptions | undefined, isDirectory: boolean): string[] => {
    const retention = createRetention(retentionFor(options, isDirectory) ?? {}, new Set(), now)
    return candidates.flatMap((candidate) => retention.expires(candidate)?.run.id ?? [])
  }
  expect(expire(undefined, true)).toEqual(['second'])
  expect(expire({ failed: '90d' }, true)).toEqual(['second'])
  expect(expire({ successful: 'forever' }, true)).toEqual([])
  expect(expire(undefined, false)).toEqual([])
  expect(retentionFor(undefined, false)).toBe(undefined)
})

it.each<[options: RetentionOptions, bytes: number, fits: boolean]>([
  [{ successful: '20GB' }, 20e9, true],
  [{ successful: '20GB' }, 20e9 + 1, false],
  [{ successful: '20GB', failed: '90d' }, 0, false],
  [{ successful: '20GB', tags: { plan: '1GB' } }, 2e9, false],
  [{ successful: 'forever' }, 1e15, true],
])('knows of %j and %d bytes whether nothing can expire', (options, bytes, fits) => {
  expect(fitsWithin(options, bytes)).toBe(fits)
})
