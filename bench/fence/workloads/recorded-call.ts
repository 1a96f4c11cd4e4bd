import { recordCalls } from './record-calls.ts'
import type { Workload } from './workload.ts'

/** A recorded call, with a JSON answer. */
export const workload: Workload = recordCalls({ path: 'json', content: 'Where is my order?', warmUp: 32, measured: 64 })
