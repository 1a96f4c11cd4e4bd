import type { Boundary } from '../../trace/boundary.ts'
import type { Json } from '../../trace/json.ts'

/** Variables of one scope of a frame. */
export interface InspectedScope {
  /** `local`: parameters, variables and `this` of the function. `closure`: of a function around it. `module`: of its module. */
  readonly kind: 'local' | 'block' | 'catch' | 'closure' | 'module'
  /**
   * Values by name. What JSON has no word for is described under `$`: `{"$":{"class":"Order"},"id":"ord_1"}`. An array that was cut
   * contains `{"$":{"more":950}}` in the place of what is left out.
   */
  readonly variables: Readonly<Record<string, Json>>
}

/** A function of the agent that was running. */
export interface InspectedFrame {
  /** Empty for a function without a name. */
  readonly function: string
  /** A path from the working directory, or absolute outside of it; of the source, if there is a source map. */
  readonly file: string
  readonly line: number
  readonly column: number
  /** From the innermost scope outwards. */
  readonly scopes: readonly InspectedScope[]
  /** What cannot be read of this frame, and why. */
  readonly unread?: readonly string[]
}

/** A function of the agent behind those that are running. Its variables cannot be read until it continues. */
export interface WaitingFrame extends Pick<InspectedFrame, 'function' | 'file' | 'line' | 'column'> {
  /** `waits`: it awaits them. `called`: it called them, and may have gone on since: nothing says whether it waits for what they return. */
  readonly how: 'waits' | 'called'
}

/** A step of an inspected run, with the variables of the agent around it. */
export interface InspectedStep {
  /** The number of the recorded step; calls that the trace does not have have further numbers. */
  readonly step: number
  readonly boundary: Boundary
  readonly name: string
  /** The agent's frames just before the call, the innermost first. Empty if they cannot be read; `unread` says why. */
  readonly frames: readonly InspectedFrame[]
  /** The agent's functions behind the frames, the innermost first. */
  readonly waiting: readonly WaitingFrame[]
  /** The agent's frames where the function continues after the call. Absent if it does not continue. */
  readonly after?: readonly InspectedFrame[]
  /** What cannot be read at this step, and why. */
  readonly unread?: readonly string[]
}

/** What `inspect` resolves to. */
export interface InspectedRun {
  /** The golden's name, or the recording's id. */
  readonly name: string
  /** How the replay ended. */
  readonly outcome: 'returned' | 'threw' | 'stopped' | 'in-flight'
  /** The step at or after which the replay diverged from the recorded run, and stopped. Absent if it did not. */
  readonly stoppedAt?: number
  /** The hash of the inspected replay, which equals that of the same replay without an inspector. */
  readonly hash: string
  /** By step number. With `at`, that step only. */
  readonly steps: readonly InspectedStep[]
}

/** How much is read of each variable. */
export interface InspectLimits {
  /** Levels of objects in objects. Default: 6. */
  readonly depth: number
  /** Items of an array, and fields of an object; of longer ones the first and the last are kept. Default: 40. */
  readonly items: number
  /** Characters of a text. Default: 2000. */
  readonly text: number
  /** Values in all frames of one stop together. Default: 4000. */
  readonly values: number
}

/** The limits where none are given. */
export const defaultLimits: InspectLimits = { depth: 6, items: 40, text: 2000, values: 4000 }
