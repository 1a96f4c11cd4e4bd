import type { Effect } from '../trace/boundary.ts'

/** What a provider or a tool agreed to when the run was recorded and is otherwise now: the contract changed, not what the agent does with it. */
export type Drift =
  /** Another model is asked. */
  | { readonly kind: 'model'; readonly step: number; readonly expected: string; readonly received: string }
  /** The model is reached at another base URL: a gateway, another region. */
  | { readonly kind: 'endpoint'; readonly step: number; readonly expected: string; readonly received: string }
  /** The schema of a tool that is offered to the model is another; the hashes are SHA-256 (hex), as `contracts` in the header has them. */
  | { readonly kind: 'tool-schema'; readonly step: number; readonly tool: string; readonly expected: string; readonly received: string }
  /** A tool declares another effect. */
  | {
      readonly kind: 'effect'
      readonly step: number
      readonly tool: string
      readonly expected: Effect | 'none'
      readonly received: Effect | 'none'
    }

/** A drift in a sentence. */
export function describeDrift(drift: Drift): string {
  const { step, expected, received } = drift
  switch (drift.kind) {
    case 'model':
      return `step ${step} asks the model ${received}; ${expected} was recorded.`
    case 'endpoint':
      return `step ${step} goes to ${received}; ${expected} was recorded.`
    case 'tool-schema':
      return `the schema of the tool ${drift.tool}, offered at step ${step}, is not the recorded one.`
    case 'effect':
      return `the tool ${drift.tool} declares ${drift.received === 'none' ? 'no effect' : `the effect ${drift.received}`}; ${drift.expected} was recorded.`
  }
}
