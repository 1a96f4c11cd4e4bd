import type { Metrics } from '../../figures.ts'
import { runChild } from '../../run-child.ts'
import type { Sizes } from '../sizes.ts'

/** What `program.ts` prints. */
export interface MemoryFigures {
  /** Bytes of heap a step that a replay holds when its last call is answered, the golden itself not counted. */
  readonly perStep: { readonly short: number; readonly long: number }
  /** Bytes of heap after the replays that warm up, and after those that follow. */
  readonly replays: { readonly before: number; readonly after: number }
}

/** Linear within a fifth. */
const GROWTH_GOAL = 1.2

/** A hundred bytes for each replay: what the engine's own counters and compiled code vary by. */
const LEAK_GOAL = 1

/** V8 throws away the bytecode of functions that rest: megabytes of it, behind which a leak could hide. */
const NODE_ARGUMENTS = ['--expose-gc', '--no-flush-bytecode']

/** What replays hold while they run, and what they leave behind; measured in a process of its own, which can collect its garbage. */
export async function measureMemory(note: (line: string) => void, { short, long, replays: count }: Sizes): Promise<Metrics> {
  note(`Making ${count} replays and throwing them away.`)
  const program = new URL('program.ts', import.meta.url)
  const { perStep, replays } = (await runChild(program, {
    nodeArguments: NODE_ARGUMENTS,
    programArguments: [short, long, count].map(String),
  })) as MemoryFigures
  return {
    memory_growth_3000_over_300: {
      value: perStep.long / perStep.short,
      unit: 'x',
      against:
        `heap a step that a replay holds at its end, ${long} steps against ${short}: ` +
        `${perStep.long.toFixed(0)} B against ${perStep.short.toFixed(0)} B`,
      goal: GROWTH_GOAL,
    },
    heap_growth_10000_replays_mb: {
      value: (replays.after - replays.before) / 1e6,
      unit: 'MB',
      against: `heap after garbage collection: ${toMegabytes(replays.after)} MB after them against ${toMegabytes(replays.before)} MB before`,
      goal: LEAK_GOAL,
    },
  }
}

function toMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(2)
}
