/** Does a job with the code in the working directory, in its own process. Its argument is the file of the request. */
import { readFileSync, writeFileSync } from 'node:fs'
import picocolors from 'picocolors'
import { type ReplayOutput, toOutput } from '../replay-output.ts'
import { PAST_CODE } from '../../replay/traces/accepted/since-accepted.ts'
import { replayTraces } from '../replay-traces.ts'
import { type VerifiedAt, verifyTraces, type VerifyTracesOptions } from '../verify/verify-traces.ts'
import { type ApartRequest, directoriesOf, type ReplayApartOptions, toSelected } from './apart-request.ts'

type ApartJob =
  | (ApartRequest<ReplayApartOptions> & { readonly job: 'replay' })
  | (ApartRequest<VerifyTracesOptions> & { readonly job: 'verify' })

const asked = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ApartJob
process.env[PAST_CODE] = '1'
/** The command itself reports progress. */
const quietly = { onTrace: () => undefined, configDirectoryOf: directoriesOf(asked) }
writeFileSync(asked.output, JSON.stringify(asked.job === 'replay' ? await replayJob(asked) : await verifyJob(asked)))
// Waits for printed output to be written, but not for what an agent keeps open.
process.stdout.write('', () => process.stderr.write('', () => process.exit(0)))

/** Replays the traces of a request with the code in the working directory. */
async function replayJob(request: ApartRequest<ReplayApartOptions>): Promise<ReplayOutput> {
  const { traces, onDivergence, allowModelDrift, color, width } = request
  const results = await replayTraces(traces.map(toSelected), { onDivergence, allowModelDrift, ...quietly })
  // Advice would be followed in the current tree, where the code differs, so it is left out.
  const unadvised = results.map((result) =>
    result.report === undefined ? result : { ...result, report: { ...result.report, advice: [] } },
  )
  return toOutput(unadvised, { colors: picocolors.createColors(color), width })
}

/** Verifies the traces of a request with the code in the working directory. */
async function verifyJob(request: ApartRequest<VerifyTracesOptions>): Promise<readonly VerifiedAt[]> {
  const { traces, job: _job, output: _output, ...options } = request
  const verified = await verifyTraces(traces.map(toSelected), options, quietly)
  return verified.map(({ name, verification, message }): VerifiedAt => {
    if (verification === undefined) return { name, ...(message !== undefined && { message }) }
    const { samples: _, ...summary } = verification
    return { name, verification: summary }
  })
}
