import { recordCalls } from './record-calls.ts'
import type { Workload } from './workload.ts'

/** A recorded call, with an answer streamed in 200 events. */
export const workload: Workload = recordCalls({ path: 'sse', content: 'Where is my order?', warmUp: 8, measured: 16 })
