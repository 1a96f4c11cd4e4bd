import type { RunSummary } from '../../stores/run-summary.ts'
import type { NamedKey } from '../../stores/secrets/secret-keys.ts'
import type { RedactOptions } from '../../redaction/redact-options.ts'
import type { TelemetryEvent } from '../telemetry/telemetry-events.ts'

/** How the runs of a recorder are kept. */
export interface RecorderSettings {
  readonly directory: string
  readonly redact: RedactOptions | undefined
  /** Whether it is decided of each run that ended whether it is kept. */
  readonly asks: boolean
  /** Whether it may be told of its runs, and of what is said in them. */
  readonly tells: { readonly content: boolean } | undefined
  /** Where what redaction takes out is kept, and the key that encrypts it. */
  readonly secrets: { readonly directory: string; readonly key: NamedKey } | undefined
}

/** What the thread that writes logs is told. */
export type ToWorker =
  /** There is a recorder. */
  | { readonly kind: 'recorder'; readonly recorder: number; readonly settings: RecorderSettings }
  /** What was decided of a run that ended. */
  | { readonly kind: 'decision'; readonly run: number; readonly isKept: boolean }
  /** Messages of runs will be on this page: see `MessageWriter`. */
  | { readonly kind: 'page'; readonly memory: SharedArrayBuffer }
  /** There may be messages: it had stopped looking for them. */
  | { readonly kind: 'wake' }
  /** Much waits: it is not to let others go first until it has read all. */
  | { readonly kind: 'hurry' }
  /** Messages are to be read at once. */
  | { readonly kind: 'look' }
  /** A recorder hands nothing over any more. */
  | { readonly kind: 'recorder-closed'; readonly recorder: number }
  /** To be answered once all that came before has been written. */
  | { readonly kind: 'ask'; readonly question: number }

/** What that thread tells, several at a time. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'closed'; readonly run: number; readonly isKept: boolean; readonly failure?: string }
  /** To be answered with a decision. */
  | { readonly kind: 'ended'; readonly run: number; readonly summary: RunSummary }
  /** Of a run of which it is told. */
  | { readonly kind: 'events'; readonly run: number; readonly events: readonly TelemetryEvent[] }
  | { readonly kind: 'answer'; readonly question: number }
  /** Something of a closed run could not be stored: see `TraceStore.reports`. */
  | {
      readonly kind: 'store-failure'
      readonly recorder: number
      readonly id: string
      readonly error: string
      readonly lost: 'recording' | 'index'
    }
  /** Everything of a closed recorder is written. */
  | { readonly kind: 'recorder-forgotten'; readonly recorder: number }

/** What the thread is started with. */
export interface WorkerData {
  /** Two numbers: `ASLEEP` where the thread does not look for messages until it is woken, and how often it has looked. */
  readonly attention: SharedArrayBuffer
}

export const STATE = 0
export const LOOKS = 1

export const ASLEEP = 0
export const AWAKE = 1
