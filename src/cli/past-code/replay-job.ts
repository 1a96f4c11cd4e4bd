import picocolors from 'picocolors'
import type { ReplayOutput } from '../replay-output.ts'
import { toOutput } from '../replay-output.ts'
import { replayTraces } from '../replay-traces.ts'
import { type ApartRequest, directoriesOf, toSelected } from './apart-request.ts'
import type { ReplayApartOptions } from './replay-at.ts'

/** Replays the traces of a request with the code in the working directory. */
export async function replayJob(request: ApartRequest<ReplayApartOptions>): Promise<ReplayOutput> {
  const { traces, onDivergence, allowModelDrift, color, width } = request
  const results = await replayTraces(traces.map(toSelected), {
    onDivergence,
    allowModelDrift,
    onTrace: () => undefined,
    configDirectoryOf: directoriesOf(request),
  })
  // All advice would be followed in the current tree, whose code is another.
  const unadvised = results.map((result) =>
    result.report === undefined ? result : { ...result, report: { ...result.report, advice: [] } },
  )
  return toOutput(unadvised, { colors: picocolors.createColors(color), width })
}
