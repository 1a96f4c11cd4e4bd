import { type ApartRequest, directoriesOf, toSelected } from '../past-code/apart-request.ts'
import type { VerifiedAt } from './verify-at.ts'
import { verifyTraces, type VerifyTracesOptions } from './verify-traces.ts'

/** Verifies the traces of a request with the code in the working directory. */
export async function verifyJob(request: ApartRequest<VerifyTracesOptions>): Promise<readonly VerifiedAt[]> {
  const { traces, job: _job, output: _output, ...options } = request
  const verified = await verifyTraces(traces.map(toSelected), options, {
    onTrace: () => undefined,
    configDirectoryOf: directoriesOf(request),
  })
  return verified.map(({ name, verification, message }): VerifiedAt => {
    if (verification === undefined) return { name, ...(message !== undefined && { message }) }
    const { samples: _, ...summary } = verification
    return { name, verification: summary }
  })
}
