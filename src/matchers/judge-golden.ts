import type { ReplayedRun } from '../replay/contract/replayed-run.ts'
import { replay } from '../replay/replay.ts'
import type { ReplayOptions } from '../replay/contract/replay-options.ts'
import type { Trace } from '../trace/trace.ts'
import { judge, type Verdict } from './holds.ts'
import { departureOf } from './same-run.ts'

/** How many other seeds are tried. */
const tries = 8

/** A replayed golden and its verdict. */
export interface JudgedGolden {
  readonly run: ReplayedRun
  readonly verdict: Verdict
}

/**
 * Replays a golden and judges it, as golden files and commands do. If the run of an incident golden reads times or random values that the
 * trace does not have, it is replayed with eight other seeds and clocks. If the verdict depends on them, it is `nondeterminism`.
 */
export async function judgeGolden(
  trace: Trace,
  agent: (input: never, context: unknown) => unknown,
  options: ReplayOptions = {},
): Promise<JudgedGolden> {
  const run = await replay(trace, agent, options)
  return { run, verdict: await judgeWithChance(run) }
}

/** Judges a replay. If it read times or random values that the trace does not have, it is also replayed and judged with different ones. */
export async function judgeWithChance(run: ReplayedRun): Promise<Verdict> {
  const verdict = judge(run)
  if (departureOf(run) === undefined || !run.drewMore) return verdict
  const words = new Set([wordOf(verdict)])
  const duration = run.trace.end?.at ?? 0
  for (let seed = 1; seed <= tries; seed += 1) {
    words.add(wordOf(judge(await run.again({ seed, ahead: Math.round((duration * seed) / tries) }))))
  }
  return words.size === 1 ? verdict : depends(verdict, [...words])
}

function wordOf(verdict: Verdict): string {
  return verdict.holds ? 'held' : verdict.why
}

function depends(verdict: Verdict, words: readonly string[]): Verdict {
  if (!('incident' in verdict) || verdict.incident === undefined) return verdict
  const { trigger, at, drift } = verdict.incident
  return { holds: false, why: 'nondeterminism', incident: { trigger, at, drift, word: 'nondeterminism', words } }
}
