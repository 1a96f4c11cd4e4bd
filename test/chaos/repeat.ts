import { replay } from '../../src/replay/replay.ts'
import type { Program } from './program.ts'

/** What came of many replays of one recording. */
export interface Repeated {
  readonly about: string
  readonly replays: number
  readonly steps: number
  readonly traceHash: string
  /** Each distinct hash that a replay had. */
  readonly hashes: readonly string[]
  /** Each distinct outcome, as text, and that of the recording. */
  readonly outcomes: readonly string[]
  readonly recordedOutcome: string
  /** How many replays diverged, and the first divergence. */
  readonly diverged: number
  readonly firstDivergence: string | undefined
  readonly milliseconds: number
}

/** Records a program once and replays it so many times. */
export async function repeat({ about, agent, record }: Program, replays: number): Promise<Repeated> {
  const trace = await record()
  const hashes = new Set<string>()
  const outcomes = new Set<string>()
  let diverged = 0
  let firstDivergence: string | undefined
  const started = performance.now()
  for (let count = 0; count < replays; count += 1) {
    const run = await replay(trace, agent)
    hashes.add(run.hash)
    outcomes.add(JSON.stringify(run.outcome))
    if (run.divergences.length === 0) continue
    diverged += 1
    firstDivergence ??= JSON.stringify(run.divergences[0])
  }
  return {
    about,
    replays,
    steps: trace.steps.length,
    traceHash: trace.hash,
    hashes: [...hashes],
    outcomes: [...outcomes],
    recordedOutcome: JSON.stringify({ status: 'returned', output: trace.end?.output }),
    diverged,
    firstDivergence,
    milliseconds: performance.now() - started,
  }
}

/** What of many replays was not as the recording; empty when all was. */
export function faultsOf({ hashes, outcomes, traceHash, recordedOutcome, diverged, firstDivergence }: Repeated): string[] {
  return [
    ...(diverged === 0 ? [] : [`${diverged} diverged, the first by ${firstDivergence}`]),
    ...(hashes.length === 1 ? [] : [`${hashes.length} distinct hashes`]),
    ...(hashes.every((hash) => hash === traceHash) ? [] : ["a hash that is not the trace's"]),
    ...(outcomes.every((outcome) => outcome === recordedOutcome) ? [] : ['an outcome that is not the recorded one']),
  ]
}
