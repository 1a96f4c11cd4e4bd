import type { RunSummary } from '../../stores/run-summary.ts'
import type { RedactOptions } from '../redaction/redact-options.ts'
import type { Told } from '../telemetry/told.ts'
import type { Batch } from './batch.ts'

/** How the runs of a recorder are kept. */
export interface RecorderSettings {
  readonly directory: string
  readonly redact: RedactOptions | undefined
  /** Whether it is decided of each run that ended whether it is kept. */
  readonly asks: boolean
  /** Whether it may be told of its runs, and of what is said in them. */
  readonly tells: { readonly content: boolean } | undefined
}

/** What the thread that writes logs is told. */
export type ToWorker =
  /** There is a recorder. */
  | { readonly kind: 'recorder'; readonly recorder: number; readonly settings: RecorderSettings }
  /** What was decided of a run that ended. */
  | { readonly kind: 'decision'; readonly run: number; readonly isKept: boolean }
  /** See `BatchWriter`. `sequence` counts batches from 1; when one is written its memory is used again. */
  | { readonly kind: 'batch'; readonly batch: Batch; readonly sequence: number }
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
  /** Of a run of which it is told. */
  | { readonly kind: 'told'; readonly run: number; readonly told: readonly Told[] }
  | { readonly kind: 'answer'; readonly question: number }

/** What the thread is started with. */
export interface WorkerData {
  /** One number: the last batch that was written. */
  readonly progress: SharedArrayBuffer
}
