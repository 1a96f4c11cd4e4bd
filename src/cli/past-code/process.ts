/** Does a job with the code in the working directory, in a process of its own. Its argument is the file of the request. */
import { readFileSync, writeFileSync } from 'node:fs'
import { verifyJob } from '../verify/verify-job.ts'
import type { VerifyTracesOptions } from '../verify/verify-traces.ts'
import type { ApartRequest } from './apart-request.ts'
import type { ReplayApartOptions } from './replay-at.ts'
import { replayJob } from './replay-job.ts'

type ApartJob =
  | (ApartRequest<ReplayApartOptions> & { readonly job: 'replay' })
  | (ApartRequest<VerifyTracesOptions> & { readonly job: 'verify' })

const request = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ApartJob
writeFileSync(request.output, JSON.stringify(request.job === 'replay' ? await replayJob(request) : await verifyJob(request)))
// Does not wait for what an agent keeps open, but for what it has printed.
process.stdout.write('', () => process.stderr.write('', () => process.exit(0)))
