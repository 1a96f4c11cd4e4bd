import type { RunSummary } from '../../stores/run-summary.ts'
import type { RedactOptions } from '../redaction/redact-options.ts'

/** What the thread that writes logs is told. */
export type ToWorker =
  /** A recorder's runs are kept in this directory, by these rules; `asks`: of each that ended it is decided whether it is kept. */
  | {
      readonly kind: 'recorder'
      readonly recorder: number
      readonly directory: string
      readonly redact: RedactOptions | undefined
      readonly asks: boolean
    }
  /** What was decided of a run that ended. */
  | { readonly kind: 'decision'; readonly run: number; readonly isKept: boolean }
  /** See `BatchWriter`. `sequence` counts batches from 1. */
  | { readonly kind: 'batch'; readonly memory: ArrayBuffer; readonly length: number; readonly sequence: number }
  /** A recorder hands nothing over any more. */
  | { readonly kind: 'recorder-closed'; readonly recorder: number }
  /** To be answered once all that came before has been written. */
  | { readonly kind: 'ask'; readonly question: number }

/** What that thread tells. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'closed'; readonly run: number; readonly isKept: boolean; readonly failure?: string }
  /** To be answered with a decision. */
  | { readonly kind: 'ended'; readonly run: number; readonly summary: RunSummary }
  | { readonly kind: 'answer'; readonly question: number }

/** What the thread is started with. */
export interface WorkerData {
  /** One number: the last batch that was written. */
  readonly progress: SharedArrayBuffer
}
