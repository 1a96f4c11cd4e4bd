import type { Metric } from '../figures.ts'
import { contestants } from './contestants.ts'
import type { Sizes } from './sizes.ts'
import { work } from './workload.ts'

/** So many draws of blocks tell how sure a figure is. */
const DRAWS = 1000

/** How much longer the slowest runs take, where a model takes its 200 ms. */
export async function measureSlowRuns(
  note: (line: string) => void,
  port: number,
  { slowBlocks, slowRuns }: Sizes,
): Promise<Record<string, Metric>> {
  note(`Measuring ${slowBlocks * slowRuns} runs of three slow calls, with and without.`)
  const blocks: Block[] = []
  // In turns that change: what the machine does meanwhile befalls both.
  for (let index = -1; index < slowBlocks; index += 1) {
    const block: Record<Name, number[]> = { none: [], goldenrun: [] }
    for (const name of index % 2 === 0 ? (['none', 'goldenrun'] as const) : (['goldenrun', 'none'] as const)) {
      const { surround, close } = await contestants[name]()
      block[name] = await work({ kind: 'slow', calls: 3, runs: slowRuns, concurrency: 16 }, port, surround)
      await close()
    }
    // The first opens connections and is compiled.
    if (index >= 0) blocks.push(block)
  }
  const overhead = overheadOf(blocks)
  const drawn = drawOverheads(blocks)
  const [p99, p99None] = [at(timesOf(blocks, 'goldenrun'), 0.99), at(timesOf(blocks, 'none'), 0.99)]
  const [half, halfNone] = [at(timesOf(blocks, 'goldenrun'), 0.5), at(timesOf(blocks, 'none'), 0.5)]
  return {
    run_p99_overhead_percent: {
      value: overhead,
      unit: '%',
      goal: 1,
      against:
        `no recording, p99 of ${slowBlocks * slowRuns} runs each, 16 at a time, in ${slowBlocks} pairs of blocks: ${p99.toFixed(1)} ms against ${p99None.toFixed(1)} ms, ` +
        `with 95 % from ${at(drawn, 0.025).toFixed(1)} to ${at(drawn, 0.975).toFixed(1)} %; median ${half.toFixed(1)} against ${halfNone.toFixed(1)} ms`,
    },
  }
}

type Name = 'none' | 'goldenrun'

/** How long runs took, in milliseconds, those with and those without one after the other. */
type Block = Readonly<Record<Name, readonly number[]>>

function overheadOf(blocks: readonly Block[]): number {
  return (at(timesOf(blocks, 'goldenrun'), 0.99) / at(timesOf(blocks, 'none'), 0.99) - 1) * 100
}

/** What it would have come to with other blocks: a sample is drawn anew from its own (the bootstrap), a pair of blocks at a time. */
function drawOverheads(blocks: readonly Block[]): number[] {
  const draw = (): Block[] => blocks.map(() => blocks[Math.floor(Math.random() * blocks.length)] ?? { none: [], goldenrun: [] })
  return Array.from({ length: DRAWS }, () => overheadOf(draw()))
}

function timesOf(blocks: readonly Block[], name: Name): number[] {
  return blocks.flatMap((block) => block[name])
}

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
