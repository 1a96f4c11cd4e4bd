import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordTauRuns } from '../../examples/tau/record-all.ts'
import { listTauRuns, loadTauRun, TAU_FOLDER } from '../../examples/tau/tau-run.ts'
import { comparableCalls, Similarity } from '../../src/replay/compare/similarity.ts'
import { readTrace } from '../../src/replay/traces/read-trace.ts'
import type { Trace } from '../../src/trace/trace.ts'
import { runCommand } from '../support/run-command.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../support/temporary-directory.ts'

const folder = path.join(TAU_FOLDER, '../same-task-4-trials')
const trials = existsSync(folder)
  ? readdirSync(folder)
      .toSorted()
      .map((file) => path.join(folder, file))
  : []
const title = trials.length === 0 ? `skipped: there are no trials in ${folder}` : 'over trials of four tasks, among other runs'

/** Whether the benchmark says that a run did what its customer wanted. */
const hasSucceeded = (file: string): boolean => (JSON.parse(readFileSync(file, 'utf8')) as { reward: number }).reward === 1

interface Similar {
  readonly id: string
  readonly alike: number
  readonly tags: { readonly run: string }
}

describe.skipIf(trials.length === 0)(`similar runs, ${title}`, () => {
  let project: TemporaryDirectory
  const ids = new Map<string, string>()
  const files = [...trials, ...listTauRuns()]

  beforeAll(async () => {
    project = await createTemporaryDirectory()
    await recordTauRuns({ store: project.resolve('.goldenrun/runs'), runs: files.map(loadTauRun) })
    const { stdout } = await runCommand(project.path, ['list', '--json', '--limit', '1000'])
    const { recordings } = JSON.parse(stdout) as { recordings: Similar[] }
    for (const { id, tags } of recordings) ids.set(tags.run, id)
    // As somebody flags what customers complain about.
    for (const file of files.filter((each) => !hasSucceeded(each))) {
      const flagged = await runCommand(project.path, ['flag', ids.get(path.basename(file, '.json')) ?? '', 'wrong'])
      expect(flagged.status, flagged.stderr).toBe(0)
    }
  }, 300_000)
  afterAll(() => project[Symbol.asyncDispose]())

  const failures = trials.filter((file) => !hasSucceeded(file)).map((file) => path.basename(file, '.json'))

  it.each(failures)('finds for %s a successful trial of the same task before all other runs', async (name) => {
    const { stdout } = await runCommand(project.path, ['similar', ids.get(name) ?? '', '--json'])
    const { runs } = JSON.parse(stdout) as { runs: Similar[] }
    const found = runs.map(({ tags }) => tags.run)
    // It called nothing but a person, in the words of another task: its own comes second.
    const place = name === 'airline-task001-trial2' ? 1 : 0
    expect(found[place]?.split('-trial')[0], found.join(', ')).toBe(name.split('-trial')[0])
  })

  // Read in the data by hand: which calls of a failed trial are those of a successful one.
  it.each([
    ['airline-task015-trial0', 'airline-task015-trial2', ['get_reservation_details GV1N64', 'update_reservation_flights GV1N64']],
    ['airline-task015-trial0', 'airline-task015-trial3', ['get_reservation_details GV1N64', 'update_reservation_flights GV1N64']],
    [
      'airline-task015-trial1',
      'airline-task015-trial2',
      ['get_user_details james_patel_9828', 'get_reservation_details GV1N64', 'update_reservation_flights GV1N64'],
    ],
    [
      'airline-task015-trial1',
      'airline-task015-trial3',
      [
        'get_user_details james_patel_9828',
        'get_reservation_details AAVMM8',
        'get_reservation_details MQHHT6',
        'get_reservation_details GV1N64',
        'update_reservation_flights GV1N64',
      ],
    ],
    [
      'airline-task011-trial1',
      'airline-task011-trial0',
      [
        'get_user_details ivan_muller_7015',
        'get_reservation_details G72NSF',
        'book_reservation ivan_muller_7015',
        'calculate 375 - 299',
        'book_reservation ivan_muller_7015',
      ],
    ],
    [
      'airline-task011-trial2',
      'airline-task011-trial0',
      [
        'get_user_details ivan_muller_7015',
        'get_reservation_details G72NSF',
        'book_reservation ivan_muller_7015',
        'book_reservation ivan_muller_7015',
      ],
    ],
  ])('pairs the calls of %s with those of %s', async (failed, successful, expected) => {
    const store = project.resolve('.goldenrun/runs')
    const [a, b] = await Promise.all([failed, successful].map((name) => readTrace(ids.get(name) ?? '', { store })))
    const [ofA, ofB] = [a, b].map((trace) => (trace === undefined ? [] : comparableCalls(trace)))
    const everyone = await Promise.all([...ids.values()].map(async (id) => comparableCalls(await readTrace(id, { store }))))
    const { pairs } = new Similarity(everyone).align(ofA ?? [], ofB ?? [])
    const paired = pairs.flatMap((pair) => {
      const [one, other] = [callAt(a, pair.a), callAt(b, pair.b)]
      return one !== undefined && one === other ? [one] : []
    })
    expect(paired.filter((call) => expected.includes(call))).toEqual(expected)
  })
})

/** A tool's call by what identifies it. */
function callAt(trace: Trace | undefined, number: number): string | undefined {
  const step = trace?.steps.find(({ step: own, boundary }) => own === number && boundary === 'tool')
  const { reservation_id: reservation, user_id: user, expression } = (step?.input ?? {}) as Readonly<Record<string, string>>
  return step && `${step.name} ${reservation ?? user ?? expression}`
}
