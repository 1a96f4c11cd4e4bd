import { FIGURES, FIGURES_OF, type Figure, type Kind, type Sample } from './figures.ts'
import { estimate, lowerBound } from './lower-bound.ts'
import { median } from '../rounds.ts'
import type { Reference } from './reference.ts'

/** The samples of one workload. Those of one index were taken next to each other. */
export interface Samples {
  readonly reference: readonly Sample[]
  readonly here: readonly Sample[]
}

/** A figure of a workload beside the reference's. */
export interface Judged {
  readonly workload: string
  readonly figure: Figure
  /** For one unit of work: the smallest number of bytes, or the median time. */
  readonly reference: number
  readonly here: number
  readonly ratio: number
  /** What the ratio is at least: itself for bytes, and for times the lower bound with 95 %. */
  readonly atLeast: number
  /** The highest ratio that is allowed. Absent for a figure that is only printed. */
  readonly allowed?: number
  readonly isRed: boolean
}

/** Holds the samples of a workload against what the reference allows. */
export function judge(
  workload: string,
  samples: Readonly<Record<Kind, Samples>>,
  { allowed }: Pick<Reference, 'allowed'>,
  length: 'short' | 'long',
): Judged[] {
  const limits = allowed[workload]
  if (limits === undefined)
    throw new Error(`bench/reference.json allows nothing for the workload ${workload}. Add its limits to "allowed".`)
  return (['bytes', 'times'] as const).flatMap((kind) =>
    FIGURES_OF[kind].flatMap((figure) => {
      const reference = values(samples[kind].reference, figure)
      const here = values(samples[kind].here, figure)
      if (reference.length === 0 && here.length === 0) return []
      if (reference.length === 0 || here.length === 0) throw new Error(`Only one of the builds has ${FIGURES[figure]} in ${workload}.`)
      const compared = kind === 'bytes' ? compareBytes(reference, here) : compareTimes(reference, here)
      const limit = limits[figure]
      const most = typeof limit === 'object' ? limit[length] : limit
      return [
        {
          workload,
          figure,
          ...compared,
          ...(most !== undefined && { allowed: most }),
          isRed: most !== undefined && compared.atLeast > most,
        },
      ]
    }),
  )
}

/** What disturbs a process makes it allocate more, never less: a batch of rows that is written in two parts. So the smallest counts. */
function compareBytes(reference: readonly number[], here: readonly number[]): Pick<Judged, 'reference' | 'here' | 'ratio' | 'atLeast'> {
  const [least, leastHere] = [Math.min(...reference), Math.min(...here)]
  return { reference: least, here: leastHere, ratio: leastHere / least, atLeast: leastHere / least }
}

function compareTimes(reference: readonly number[], here: readonly number[]): Pick<Judged, 'reference' | 'here' | 'ratio' | 'atLeast'> {
  const ratios = here.map((time, pair) => time / (reference[pair] ?? Number.NaN))
  return { reference: median(reference), here: median(here), ratio: estimate(ratios), atLeast: lowerBound(ratios) }
}

function values(samples: readonly Sample[], figure: Figure): number[] {
  return samples.flatMap((sample) => sample[figure] ?? [])
}

/** Returns the judged figures as a table, header first. */
export function toRows(judged: readonly Judged[]): string[][] {
  const rows = judged.map(({ workload, figure, reference, here, ratio, atLeast, allowed, isRed }) => [
    workload,
    FIGURES[figure],
    reference.toFixed(0),
    here.toFixed(0),
    ratio.toFixed(3),
    atLeast.toFixed(3),
    allowed?.toFixed(2) ?? '',
    isRed ? 'RED' : '',
  ])
  return [['workload', 'figure', 'reference', 'here', 'ratio', 'at least', 'allowed', ''], ...rows]
}
