import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fork, readTrace, resume, type Trace } from 'goldenrun/replay'
import { startProvider } from '../../examples/world/provider.ts'
import type { Metrics } from '../figures.ts'
import { recordGolden } from '../replay/record-golden.ts'
import { measureRounds, median, medianRatio, type RoundsOptions } from '../rounds.ts'
import { runChild } from '../run-child.ts'
import { NOWHERE, takeTurns } from './turns-agent.ts'

/** The factor by which the recording process's clock is faster than the true clock. */
const FAST = 20

/** The time a model takes to answer, in milliseconds of the recorded run. */
const LATENCY = 2000

const ANSWER = { text: 'It left the warehouse this morning and will be with you by tomorrow at noon.' }

const EDIT = { answer: 'It is lost.' }

/** How much is measured. */
export interface MomentSizes {
  /** The turns of the runs whose last turn is forked. */
  readonly turns: readonly number[]
  /** The turns of the runs that are resumed before their last turn. */
  readonly resumed: readonly number[]
  readonly rounds: RoundsOptions
}

/** Measures how long it takes to reach the last turn of a run again, and how long a resumed run takes to reach it. */
export async function measureMoments(note: (line: string) => void, { turns, resumed, rounds }: MomentSizes): Promise<Metrics> {
  return { ...(await measureForks(note, turns, rounds)), ...(await measureResumes(note, resumed, rounds)) }
}

async function measureForks(note: (line: string) => void, turns: readonly number[], rounds: RoundsOptions): Promise<Metrics> {
  const metrics: Record<string, Metrics[string]> = {}
  for (const count of turns) {
    note(`Recording ${count} turns of two seconds, in a process whose clock runs ${FAST} times as fast.`)
    const trace = await recordSlowly(count)
    const took = trace.end?.at ?? 0
    if (took < count * LATENCY * 0.9) throw new Error(`${count} turns of ${LATENCY} ms took ${took} ms on the recorded clock.`)
    const { forked } = await measureRounds({ forked: () => forkLast(trace, count) }, rounds)
    const value = median(forked.wall)
    metrics[`fork_prefix_ms_${count}`] = {
      value,
      unit: 'ms',
      against: `turn ${count} of a run of ${(took / 1000).toFixed(0)} s, forked with a different answer, to its end`,
    }
    if (metrics['fork_28_vs_rerun'] === undefined)
      metrics['fork_28_vs_rerun'] = {
        value: took / value,
        unit: 'x',
        goal: 100,
        better: 'more',
        against: `running the recorded ${(took / 1000).toFixed(0)} s again`,
      }
  }
  return metrics
}

async function recordSlowly(turns: number): Promise<Trace> {
  const folder = await mkdtemp(path.join(tmpdir(), 'goldenrun-bench-'))
  await using provider = await startProvider({ script: () => ({ ...ANSWER, delayMs: LATENCY / FAST }), keepExchanges: false })
  try {
    const file = await runChild(new URL('record.ts', import.meta.url), {
      nodeArguments: ['--import', new URL(`../replay/eighty-seconds/fast-clock.ts?times=${FAST}`, import.meta.url).href],
      programArguments: [provider.openaiBaseUrl, String(turns), folder],
    })
    return await readTrace(String(file))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureResumes(note: (line: string) => void, resumed: readonly number[], rounds: RoundsOptions): Promise<Metrics> {
  const told: string[] = []
  const ratios: number[] = []
  for (const count of resumed) {
    note(`Recording ${count} turns, and resuming before the last.`)
    await using provider = await startProvider({ script: () => ANSWER, keepExchanges: false })
    const { trace } = await recordGolden({ input: { turns: count }, context: { baseUrl: provider.openaiBaseUrl } }, takeTurns)
    const times = await measureRounds({ resume: () => resumeLast(trace, count), prefix: () => forkLast(trace, count) }, rounds)
    ratios.push(medianRatio(times.resume.wall, times.prefix.wall))
    told.push(`${count} turns: ${median(times.resume.wall).toFixed(1)} ms against ${median(times.prefix.wall).toFixed(1)} ms`)
  }
  const [value = Number.NaN] = ratios.slice(resumed.indexOf(1000) === -1 ? 0 : resumed.indexOf(1000))
  return { resume_vs_prefix_1000: { value, unit: 'x', goal: 1, against: `replaying what came before; ${told.join('; ')}` } }
}

async function forkLast(trace: Trace, turns: number): Promise<void> {
  const { outcome, steps } = await fork(trace, takeTurns, { at: { turn: turns }, edit: EDIT, context: NOWHERE })
  if (outcome.status !== 'returned' || outcome.output.at(-1) !== EDIT.answer || steps.length !== turns)
    throw new Error(`The measured fork has a different outcome: ${JSON.stringify(outcome)}`)
}

async function resumeLast(trace: Trace, turns: number): Promise<void> {
  const { outcome, steps } = await resume(trace, takeTurns as never, { checkpoint: `turn-${turns - 1}`, context: NOWHERE })
  if (outcome.status !== 'returned' || steps.length !== 1)
    throw new Error(`The measured resumed run has a different outcome: ${JSON.stringify(outcome)}`)
}
