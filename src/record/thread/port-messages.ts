import type { RunSummary } from '../../stores/run-summary.ts'
import type { NamedKey } from '../../stores/secrets/secret-keys.ts'
import type { Variables } from '../../node/variables.ts'
import type { RedactOptions } from '../../redaction/redact-options.ts'
import type { TelemetryEvent } from '../telemetry/telemetry-events.ts'

/** How the runs of a recorder are kept. */
export interface RecorderSettings {
  readonly directory: string
  readonly redact: RedactOptions | undefined
  /** Whether each run is decided on, after it has ended, before it is kept. */
  readonly asks: boolean
  /** Whether its runs may have telemetry, and whether with content. */
  readonly tells: { readonly content: boolean } | undefined
  /** Where secrets that redaction removes are kept, and the key that encrypts them. */
  readonly secrets: { readonly directory: string; readonly key: NamedKey } | undefined
}

/** A message to the thread that writes logs. */
export type ToWorker =
  /** A recorder was created. */
  | { readonly kind: 'recorder'; readonly recorder: number; readonly settings: RecorderSettings }
  /** The environment of the agents, once before the first run and whenever it has changed. */
  | { readonly kind: 'environment'; readonly values: Variables['values'] }
  /** The decision on a run that has ended. */
  | { readonly kind: 'decision'; readonly run: number; readonly isKept: boolean }
  /** Messages of runs will follow on this page: see `MessageWriter`. */
  | { readonly kind: 'page'; readonly memory: SharedArrayBuffer }
  /** There may be messages. Sent when the thread had stopped looking. */
  | { readonly kind: 'wake' }
  /** Much is waiting: the thread must not yield until it has read everything. */
  | { readonly kind: 'hurry' }
  /** The thread must read messages at once. */
  | { readonly kind: 'look' }
  /** A recorder hands over nothing more. */
  | { readonly kind: 'recorder-closed'; readonly recorder: number }
  /** To be answered once everything that came before is written. */
  | { readonly kind: 'ask'; readonly question: number }

/** A message from that thread; several are sent at a time. */
export type FromWorker =
  | { readonly kind: 'ready' }
  | { readonly kind: 'closed'; readonly run: number; readonly isKept: boolean; readonly failure?: string }
  /** To be answered with a decision. */
  | { readonly kind: 'ended'; readonly run: number; readonly summary: RunSummary }
  /** The events of a run with telemetry. */
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

/** The data that the thread is started with. */
export interface WorkerData {
  /** Two numbers: `ASLEEP` while the thread does not look for messages until it is woken, and how often it has looked. */
  readonly attention: SharedArrayBuffer
}

export const STATE = 0
export const LOOKS = 1

export const ASLEEP = 0
export const AWAKE = 1
