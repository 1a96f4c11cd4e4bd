import type { Effect } from '../trace/boundary.ts'

/** A change in the contract with a provider or a tool since the recording, as opposed to a change in what the agent does. */
export type Drift =
  /** The agent calls a different model. */
  | { readonly kind: 'model'; readonly step: number; readonly expected: string; readonly received: string }
  /** The model has a different base URL: a gateway, a different region. */
  | { readonly kind: 'endpoint'; readonly step: number; readonly expected: string; readonly received: string }
  /** The schema of a tool that is offered to the model has changed. The hashes are SHA-256 (hex), as in the header's `contracts`. */
  | { readonly kind: 'tool-schema'; readonly step: number; readonly tool: string; readonly expected: string; readonly received: string }
  /** Another version of an SDK makes the request, and sends other headers by itself: a pinned version of the API, its key elsewhere. */
  | {
      readonly kind: 'client'
      readonly step: number
      readonly expected: string
      readonly received: string
      /** Where the requests differ: `headers["anthropic-version"]`. */
      readonly paths: readonly string[]
    }
  /** A tool declares a different effect. */
  | {
      readonly kind: 'effect'
      readonly step: number
      readonly tool: string
      readonly expected: Effect | 'none'
      readonly received: Effect | 'none'
    }

/** Describes a drift in a sentence. */
export function describeDrift(drift: Drift): string {
  const { step, expected, received } = drift
  switch (drift.kind) {
    case 'model':
      return `step ${step} calls the model ${received}; ${expected} was recorded.`
    case 'endpoint':
      return `step ${step} goes to ${received}; ${expected} was recorded.`
    case 'tool-schema':
      return `the schema of the tool ${drift.tool}, offered at step ${step}, differs from the recorded one.`
    case 'client':
      return `step ${step} is sent by ${received}; ${expected} was recorded. They differ at ${drift.paths.join(', ')}.`
    case 'effect':
      return `the tool ${drift.tool} declares ${drift.received === 'none' ? 'no effect' : `the effect ${drift.received}`}; ${drift.expected} was recorded.`
  }
}
