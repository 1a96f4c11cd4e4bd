import { recordCalls } from './record-calls.ts'
import type { Workload } from './workload.ts'

/** A recorded call, with a request of 100 kB. */
export const workload: Workload = recordCalls({ path: 'json', content: 'word '.repeat(20_000), warmUp: 8, measured: 24 })
