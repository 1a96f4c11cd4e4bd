import type { Measured } from '../figures.ts'
import { runChild } from '../run-child.ts'
import type { Profiled, Shares } from './profile-program.ts'
import type { Sizes } from './sizes.ts'

/** The number of groups shown per thread, those that take most of it. */
const SHOWN = 12

/** Measures what the two threads of a recording process spend their time on, as shares by folder. Prints no times, because a profiler takes some. */
export async function measureProfile(note: (line: string) => void, port: number, { calls }: Sizes): Promise<Measured> {
  const rows: string[][] = [['thread', 'share', 'of']]
  const program = new URL('profile-program.ts', import.meta.url)
  for (const [kind, count] of Object.entries(calls)) {
    note(`Profiling calls of the kind ${kind}.`)
    const { agents, writer } = (await runChild(program, { programArguments: [kind, String(2 * count), String(port)] })) as Profiled
    rows.push(...toRows(`${kind}, agents`, agents), ...toRows(`${kind}, writer`, writer))
  }
  return { metrics: {}, rows }
}

function toRows(thread: string, shares: Shares): string[][] {
  const all = Object.values(shares).reduce((sum, share) => sum + share, 0)
  const largest = Object.entries(shares).toSorted(([, a], [, b]) => b - a)
  return largest.slice(0, SHOWN).map(([group, share]) => [thread, `${((100 * share) / all).toFixed(1)} %`, group])
}
