import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadTauRun, TAU_FOLDER, type TauMessage, type TauRun } from '../../../examples/tau/tau-run.ts'
import { compareRuns, type Comparison } from '../../../src/replay/compare/compare-runs.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts'
import { type GoldenRun, recordGoldenRuns } from '../../tau/golden-runs.ts'

const folder = path.join(TAU_FOLDER, '../same-task-4-trials')
const trials: readonly TauRun[] = existsSync(folder)
  ? readdirSync(folder)
      .filter((file) => file.endsWith('.json'))
      .toSorted()
      .map((file) => loadTauRun(path.join(folder, file)))
  : []

/** Every two trials of one task. */
const pairs = trials.flatMap((a, index) => trials.slice(index + 1).flatMap((b) => (taskOf(a) === taskOf(b) ? [{ a, b }] : [])))

const title = trials.length === 0 ? `skipped: there are no trials in ${folder}` : 'over four trials of each of four tasks'

describe.skipIf(trials.length === 0)(`two runs compared, ${title}`, () => {
  let directory: TemporaryDirectory
  let goldens: Map<string, GoldenRun>

  beforeAll(async () => {
    directory = await createTemporaryDirectory()
    goldens = await record(trials)
  }, 120_000)

  afterAll(() => directory[Symbol.asyncDispose]())

  it('names the first differing step of every pair', async () => {
    expect(pairs).toHaveLength(24)
    for (const { a, b } of pairs) {
      const { divergences } = await compareRuns(traceOf(a), traceOf(b))
      expect(divergences[0], `${a.name} and ${b.name}`).toMatchObject(firstDifference(a, b))
      expect(divergences.slice(1).every(({ consequence }) => consequence)).toBe(true)
    }
  }, 60_000)

  // Read in the data by hand: how each trial begins, and which tools only one of the two called.
  it.each([
    {
      pair: ['airline-task001-trial0', 'airline-task001-trial3'],
      said: ['Hi there! I need to change my return flight from Texas', 'Hi! I have a flight from Texas back to Newark at 3pm'],
    },
    {
      pair: ['airline-task011-trial0', 'airline-task011-trial2'],
      said: ["Hi, I'd like to book the same flights as my current reserva", "Hi! I'd like to book the same flights as my current reserva"],
    },
    {
      pair: ['airline-task011-trial1', 'airline-task011-trial3'],
      said: ['Hi! I need to book a flight for my friend Ivan using the sa', 'Hi, I would like to book a flight for my friend Ivan Smith,'],
    },
    {
      pair: ['airline-task015-trial0', 'airline-task015-trial2'],
      said: ['Hi! I need to remove a passenger named Sophia from my upcom', 'Hi, I need to remove a passenger named Sophia from our upco'],
    },
    {
      pair: ['airline-task015-trial1', 'airline-task015-trial3'],
      said: ['Hi, I need to remove a passenger, Sophia, from my upcoming ', 'Hi, I need to cancel a passenger from my upcoming flights.'],
    },
    {
      pair: ['airline-task016-trial1', 'airline-task016-trial2'],
      said: ["Hi, I'm really frustrated right now because my flight HAT03", "Hi, I'm really upset because my flight HAT039 from ATL to S"],
    },
  ] as const)('says that in $pair the customers open otherwise', async ({ pair, said }) => {
    const [a, b] = pair.map((name) => goldens.get(name)?.trace)
    if (a === undefined || b === undefined) throw new Error(`There are no trials ${pair.join(' and ')}.`)
    const [first] = (await compareRuns(a, b)).divergences
    expect(first).toMatchObject({ cause: 'outcome', step: 1, position: 'at', boundary: 'external', name: 'user' })
    expect(String(first?.differences[0]?.expected).startsWith(said[0])).toBe(true)
    expect(String(first?.differences[0]?.received).startsWith(said[1])).toBe(true)
  })

  it('names the step at which the model or a tool first answered otherwise, where the customers open alike', async () => {
    const alike = pairs.map(({ a, b }) => ({ a, b: withOpeningOf(a, b, `${a.name}-${b.name}`) }))
    const recorded = await record(alike.map(({ b }) => b))
    const seen = new Set<string>()
    for (const { a, b } of alike) {
      const expected = firstDifference(a, b)
      const { divergences } = await compareRuns(traceOf(a), traceOf(b, recorded))
      expect(divergences[0], b.name).toMatchObject(expected)
      seen.add(expected.boundary)
    }
    expect([...seen]).toContain('model')
  }, 120_000)

  it('finds nothing between a trial and itself, recorded twice', async () => {
    const again = await record(trials.map((run) => ({ ...run, name: `${run.name}-again` })))
    for (const run of trials) {
      const comparison = await compareRuns(traceOf(run), traceOf({ ...run, name: `${run.name}-again` }, again))
      expect(comparison.divergences, run.name).toEqual([])
      expect(numbersOf(comparison)).toEqual(run.messages.slice(1).map((_, index) => [index + 1, index + 1]))
    }
  }, 120_000)

  it('lays calls that only one of the runs made beside nothing', async () => {
    const [a, b] = ['airline-task016-trial1', 'airline-task016-trial3'].map((name) => trials.find((run) => run.name === name))
    if (a === undefined || b === undefined) throw new Error('The trials are not there.')
    const { steps } = await compareRuns(traceOf(a), traceOf(b))
    expect(steps.flatMap((pair) => (pair.a === undefined ? [] : [pair.a.step]))).toEqual(a.messages.slice(1).map((_, index) => index + 1))
    expect(steps.flatMap((pair) => (pair.b === undefined ? [] : [pair.b.step])).toSorted((one, other) => one - other)).toEqual(
      b.messages.slice(1).map((_, index) => index + 1),
    )
  })

  function traceOf({ name }: TauRun, among: ReadonlyMap<string, GoldenRun> = goldens): GoldenRun['trace'] {
    const golden = among.get(name)
    if (golden === undefined) throw new Error(`There is no trial ${name}.`)
    return golden.trace
  }

  async function record(runs: readonly TauRun[]): Promise<Map<string, GoldenRun>> {
    const recorded = await recordGoldenRuns(directory.path, runs, () => false)
    return new Map(recorded.map((golden) => [golden.name, golden]))
  }
})

/** What follows from the data alone: the first message that is another one. Each is the answer of a step: its question was the same. */
function firstDifference(a: TauRun, b: TauRun): { cause: 'outcome'; step: number; position: 'at'; boundary: string } {
  const step = a.messages.findIndex((message, index) => meaningOf(message) !== meaningOf(b.messages[index]))
  const boundaries = { user: 'external', assistant: 'model', tool: 'tool', system: 'none' }
  return { cause: 'outcome', step, position: 'at', boundary: boundaries[a.messages[step]?.role ?? 'system'] }
}

function meaningOf(message: TauMessage | undefined): string {
  const calls = message?.toolCalls?.map(({ name, argumentsText }) => [name, JSON.parse(argumentsText) as unknown])
  return JSON.stringify([message?.role, message?.content, calls])
}

function withOpeningOf(a: TauRun, b: TauRun, name: string): TauRun {
  const opening = a.messages[1]
  return { ...b, name, messages: b.messages.map((message, index) => (index === 1 && opening !== undefined ? opening : message)) }
}

function taskOf({ name }: TauRun): string {
  return name.replace(/-trial\d+$/, '')
}

function numbersOf({ steps }: Comparison): [number | undefined, number | undefined][] {
  return steps.map(({ a, b }) => [a?.step, b?.step])
}
