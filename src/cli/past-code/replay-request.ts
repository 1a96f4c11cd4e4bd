import type { ModelDrift } from '../../replay/contract/replay-options.ts'

/** What a process that replays traces is asked to do: a file of JSON. */
export interface ReplayRequest {
  readonly traces: readonly RequestedTrace[]
  readonly onDivergence: 'stop' | 'continue'
  readonly allowModelDrift: readonly ModelDrift[]
  /** The terminal that the output is for. */
  readonly color: boolean
  readonly width: number
  /** The absolute path of the file that it writes its output to. */
  readonly output: string
}

/** A trace of the current tree. */
export interface RequestedTrace {
  readonly name: string
  readonly found?: {
    /** As messages call it. */
    readonly file: string
    /** The absolute path of a file with its text. */
    readonly path: string
    /** Where the config of a golden is looked for. */
    readonly directory: string
  }
  /** Why it could not be found. */
  readonly problem?: { readonly code: string; readonly message: string }
}
