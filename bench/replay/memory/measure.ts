import type { Metrics } from '../../figures.ts'
import { runChild } from '../../run-child.ts'
import type { Sizes } from '../sizes.ts'

/** The output of `program.ts`. */
export interface MemoryFigures {
  /** Bytes of heap per step that a replay holds when its last call is answered, excluding the golden itself. */
  readonly perStep: { readonly short: number; readonly long: number }
  /** The heap after the warm-up replays, and after each batch of the replays that follow. */
  readonly replays: readonly HeapSample[]
}

/** The heap in use after this many replays have been made and dropped. */
export interface HeapSample {
  readonly replays: number
  readonly bytes: number
}

/** Linear within 20 %. */
const GROWTH_GOAL = 1.2

/** A hundred bytes per replay: the variation of the engine's own counters and compiled code. */
const LEAK_GOAL = 1

/** V8 drops the bytecode of functions that are not in use: megabytes, behind which a leak could hide. */
const NODE_ARGUMENTS = ['--expose-gc', '--no-flush-bytecode']

/** Measures what replays hold while they run, and what they leave behind, in a separate process that can force garbage collection. */
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

/** Returns bytes per replay by least squares: one late collection moves the last sample, but hardly the slope. */
function slopeOf(samples: readonly HeapSample[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(samples.map(({ replays }) => replays)), mean(samples.map(({ bytes }) => bytes))]
  const covariance = mean(samples.map(({ replays, bytes }) => (replays - x) * (bytes - y)))
  return covariance / mean(samples.map(({ replays }) => (replays - x) ** 2))
}

function toMegabytes({ bytes }: Pick<HeapSample, 'bytes'> = { bytes: Number.NaN }): string {
  return (bytes / 1e6).toFixed(2)
}
