import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withoutStandIns } from '../../src/divergence/stand-ins.ts'
import { createRedactor } from '../../src/redaction/redactor.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'
import { watchContacts } from './contacts.ts'
import { type GoldenRun, OVER_THE_RUNS, recordGoldenRuns, replayGolden, tauRuns } from './golden-runs.ts'
import { readRawRun, rawToolSteps, repeatedWrites, reusesToolCallIds } from './raw-run.ts'

/** The customers' addresses are not in a trace: what stands for them is the same but for its number. */
function redacted(value: unknown): unknown {
  const redactor = createRedactor()
  return JSON.parse(withoutStandIns(JSON.stringify(redactor.value(value)), redactor.standIns))
}

describe.skipIf(tauRuns.length === 0).each([
  { answers: 'JSON answers', streaming: false },
  { answers: 'streamed answers', streaming: true },
])(`${OVER_THE_RUNS}, with $answers`, ({ streaming }) => {
  let directory: TemporaryDirectory
  let goldens: GoldenRun[]
  /** Attempts to reach the network while the runs were recorded. */
  let recordedContacts: number

  beforeAll(async () => {
    directory = await createTemporaryDirectory()
    using contacts = watchContacts()
    goldens = await recordGoldenRuns(directory.path, tauRuns, () => streaming)
    recordedContacts = contacts.made.length
  }, 120_000)

  afterAll(() => directory[Symbol.asyncDispose]())

  it('replays all 32 without divergence, tool or socket', async () => {
    using contacts = watchContacts()
    const replayed = []
    for (const golden of goldens) replayed.push({ name: golden.name, ...(await replayGolden(golden)) })
    for (const { name, run } of replayed) expect(run.divergences, name).toEqual([])
    expect(replayed).toHaveLength(32)
    expect(replayed.flatMap(({ run }) => run.toolCalls)).toHaveLength(343)
    expect(replayed.every(({ run }) => run.toolCalls.every(({ source }) => source === 'ran'))).toBe(true)
    expect(replayed.map(({ asked }) => asked)).toEqual(goldens.map(() => ({ tools: 0, customer: 0 })))
    expect(contacts.made).toEqual([])
    // The same counters counted when the runs were recorded.
    expect(sum(goldens.map(({ asked }) => asked.tools))).toBe(343)
    expect(sum(goldens.map(({ asked }) => asked.customer))).toBe(273)
    expect(recordedContacts).toBeGreaterThanOrEqual(32)
  }, 60_000)

  it('sees in each the steps, tool calls and output that the data has', async () => {
    for (const golden of goldens) {
      const { run } = await replayGolden(golden)
      const raw = readRawRun(golden.name)
      const { messages } = raw
      const boundaries = { user: 'external', assistant: 'model', tool: 'tool', system: undefined }
      expect(
        run.steps.map(({ boundary }) => boundary),
        golden.name,
      ).toEqual(messages.slice(1).map(({ role }) => boundaries[role]))
      expect(redacted(run.toolCalls.map(({ step, name, args }) => ({ step, name, args }))), golden.name).toEqual(
        redacted(rawToolSteps(raw)),
      )
      const output = run.outcome.status === 'returned' ? run.outcome.output.messages : []
      expect(redacted(output.map(({ content }) => content)), golden.name).toEqual(redacted(messages.map(({ content }) => content)))
    }
  }, 60_000)

  it('gives each replay the hash of its trace, and each trace a hash of its own', async () => {
    for (const golden of goldens) {
      const { run } = await replayGolden(golden)
      expect(run.hash, golden.name).toBe(golden.trace.hash)
      expect(golden.trace.hash, golden.name).toBe(golden.recording.hash)
    }
    expect(new Set(goldens.map(({ trace }) => trace.hash)).size).toBe(32)
  }, 60_000)

  it('flags the side effects that a run repeats', () => {
    const flagged = goldens.flatMap(({ name, trace }) =>
      trace.rows.flatMap((row) => (row.kind === 'note' ? [`${name}: ${row.what}, ${row.where}`] : [])),
    )
    const repeated = goldens.flatMap(({ name }) =>
      repeatedWrites(readRawRun(name)).map(
        (write) => `${name}: repeated-side-effect, ${write.name}: step ${write.step} repeats step ${write.first}`,
      ),
    )
    expect(flagged).toEqual(repeated)
    expect(flagged).toHaveLength(7)
  })

  it('replays all 32 at once, none mixed with another', async () => {
    const replayed = await Promise.all(goldens.map((golden) => replayGolden(golden)))
    expect(replayed.flatMap(({ run }) => run.divergences)).toEqual([])
    expect(replayed.map(({ run }) => run.hash)).toEqual(goldens.map(({ trace }) => trace.hash))
  }, 60_000)

  it('replays runs that give one tool call id to different calls', async () => {
    const reusing = goldens.filter(({ name }) => reusesToolCallIds(readRawRun(name)))
    expect(reusing.map(({ name }) => name)).toEqual([
      'airline-task004-trial2',
      'airline-task008-trial1',
      'airline-task009-trial2',
      'airline-task013-trial2',
      'airline-task026-trial2',
      'airline-task037-trial0',
      'airline-task046-trial3',
    ])
    for (const golden of reusing) {
      const { run } = await replayGolden(golden)
      expect(run.divergences, golden.name).toEqual([])
      expect(
        run.toolCalls.map(({ args }) => args),
        golden.name,
      ).toEqual(rawToolSteps(readRawRun(golden.name)).map(({ args }) => args))
    }
  }, 60_000)
})

describe.skipIf(tauRuns.length === 0)(`${OVER_THE_RUNS}, two hundred times`, () => {
  it.each([
    { run: 'airline-task009-trial2', streaming: false },
    { run: 'retail-task054-trial54', streaming: true },
  ])(
    'replays $run to one hash (streaming: $streaming)',
    async ({ run: name, streaming }) => {
      await using directory = await createTemporaryDirectory()
      const [golden] = await recordGoldenRuns(
        directory.path,
        tauRuns.filter((run) => run.name === name),
        () => streaming,
      )
      if (golden === undefined) throw new Error(`There is no recorded run ${name}.`)
      const hashes: string[] = []
      for (let time = 0; time < 200; time += 1) hashes.push((await replayGolden(golden)).run.hash)
      expect(hashes).toHaveLength(200)
      expect(new Set(hashes)).toEqual(new Set([golden.trace.hash]))
    },
    120_000,
  )
})

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
