import type { DrawnKind, DrawnValue } from '../../divergence/drawn-value.ts'
import { pairedTexts } from '../../divergence/paired-texts.ts'
import type { Trace } from '../../trace/trace.ts'
import { comparedValues, normalValues } from './compared-values.ts'
import type { ReplayingRun } from '../replaying-run.ts'
import type { DrawKind } from '../judge/draws/correspondence.ts'

/** The values of a replay that matched its trace only by the correspondence of draws. */
export function drawnValues(trace: Trace, run: ReplayingRun, settled: Parameters<typeof comparedValues>[2]): DrawnValue[] {
  // Most runs have none, and nothing is searched.
  if (!run.draws.hasPaired) return []
  return comparedValues(trace, run, settled).flatMap((values) => {
    const { expected, received, pathTo } = normalValues(values, run.rules)
    return pairedTexts(expected, received).flatMap((text) =>
      run.draws
        .paired(text.expected, text.received)
        .map(({ kind, ...drawn }): DrawnValue => ({ place: values.place, path: pathTo(text.keys), kind: kinds[kind], ...drawn })),
    )
  })
}

const kinds: Readonly<Record<DrawKind, DrawnKind>> = { clock: 'time', random: 'number', uuid: 'id', bytes: 'bytes' }
