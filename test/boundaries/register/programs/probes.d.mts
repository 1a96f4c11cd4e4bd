import type { Probes } from './find-open.ts'

export declare const reads: Probes['reads']
export declare const waits: Probes['waits']
