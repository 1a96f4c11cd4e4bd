import type { Metric } from '../figures.ts'
import { median, upperBound } from '../rounds.ts'
import { runChild } from '../run-child.ts'
import type { SideEffectRound } from './side-effect-program.ts'
import type { Sizes } from './sizes.ts'

/** The upper limit for the agents' thread, in microseconds. */
const GOAL = 50

/** Measures what it takes of the agents' thread to write a side effect to the journal before it happens. */
export async function measureSideEffects(note: (line: string) => void, { sideEffectRounds }: Sizes): Promise<Record<string, Metric>> {
  note('Measuring what the journal takes of a side effect.')
  const program = new URL('side-effect-program.ts', import.meta.url)
  const rounds = (await runChild(program, { programArguments: [String(sideEffectRounds)] })) as readonly SideEffectRound[]
  const added = rounds.map(({ write, read }) => write.cpu - read.cpu)
  const waited = rounds.map(({ write, read }) => write.wall - read.wall)
  const perCall = (read: (round: SideEffectRound) => number): string => `${median(rounds.map(read)).toFixed(0)} µs`
  return {
    side_effect_append_us: {
      value: median(added),
      unit: 'µs',
      goal: GOAL,
      bound: upperBound(added),
      against:
        `main thread, a call with effect 'write', five a run, including making and removing the file: ${perCall(({ write }) => write.cpu)} a call against ` +
        `${perCall(({ read }) => read.cpu)} with effect 'read'; on the wall ${median(waited).toFixed(0)} µs more; ` +
        `the median of ${rounds.length} paired rounds is below ${upperBound(added).toFixed(0)} µs with 95 %`,
    },
  }
}
