import type { Metrics } from '../../figures.ts'
import { runChild } from '../../run-child.ts'
import type { Sizes } from '../sizes.ts'

/** What `program.ts` prints. */
export interface MemoryFigures {
  /** Bytes of heap a step that a replay holds when its last call is answered, the golden itself not counted. */
  readonly perStep: { readonly short: number; readonly long: number }
  /** The heap after the replays that warm up, and after each batch of those that follow. */
  readonly replays: readonly HeapSample[]
}

/** What is in use when so many replays have been made and thrown away. */
export interface HeapSample {
  readonly replays: number
  readonly bytes: number
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
      value: (slopeOf(replays) * count) / 1e6,
      unit: 'MB',
      against:
        `slope of the heap after garbage collection, of ${replays.length} samples: ` +
        `${toMegabytes(replays.at(-1))} MB after them against ${toMegabytes(replays[0])} MB before`,
      goal: LEAK_GOAL,
    },
  }
}

/** Bytes a replay, by least squares: one late collection moves the last sample, and hardly the slope. */
function slopeOf(samples: readonly HeapSample[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(samples.map(({ replays }) => replays)), mean(samples.map(({ bytes }) => bytes))]
  const covariance = mean(samples.map(({ replays, bytes }) => (replays - x) * (bytes - y)))
  return covariance / mean(samples.map(({ replays }) => (replays - x) ** 2))
}

function toMegabytes({ bytes }: Pick<HeapSample, 'bytes'> = { bytes: Number.NaN }): string {
  return (bytes / 1e6).toFixed(2)
}
