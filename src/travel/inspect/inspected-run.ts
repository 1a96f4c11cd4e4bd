import type { Boundary } from '../../trace/boundary.ts'
import type { Json } from '../../trace/json.ts'

/** Variables of one scope of a frame. */
export interface InspectedScope {
  /** `local`: parameters, variables and `this` of the function. `closure`: of an enclosing function. `module`: of its module. */
  readonly kind: 'local' | 'block' | 'catch' | 'closure' | 'module'
  /**
   * Values by name. Values that JSON cannot represent are described under `$`: `{"$":{"class":"Order"},"id":"ord_1"}`. An array that was cut contains
   * `{"$":{"more":950}}` in place of the items left out.
   */
  readonly variables: Readonly<Record<string, Json>>
}

/** A function of the agent that was running. */
export interface InspectedFrame {
  /** Empty for a function without a name. */
  readonly function: string
  /** A path relative to the working directory, or absolute outside of it. The source's path, if there is a source map. */
  readonly file: string
  readonly line: number
  readonly column: number
  /** The scopes, from the innermost outwards. */
  readonly scopes: readonly InspectedScope[]
  /** The parts of this frame that cannot be read, and why. */
  readonly unread?: readonly string[]
}

/** A function of the agent behind the running functions. Its variables cannot be read until it continues. */
export interface WaitingFrame extends Pick<InspectedFrame, 'function' | 'file' | 'line' | 'column'> {
  /** `waits`: it awaits the running functions. `called`: it called them and may have continued; it is not known whether it waits for their results. */
  readonly how: 'waits' | 'called'
}

/** The function of a frame, and where it is. */
export type FramePlace = Omit<WaitingFrame, 'how'>

/** A step of an inspected run, with the agent's variables before and after it. */
export interface InspectedStep {
  /** The number of the recorded step; calls that are not in the trace are numbered after its last step. */
  readonly step: number
  readonly boundary: Boundary
  readonly name: string
  /** The agent's frames just before the call, the innermost first. Empty if they cannot be read; `unread` says why. */
  readonly frames: readonly InspectedFrame[]
  /** The agent's functions behind the frames, the innermost first. */
  readonly waiting: readonly WaitingFrame[]
  /** The agent's frames where the function continues after the call. Absent if it does not continue. */
  readonly after?: readonly InspectedFrame[]
  /** The parts of this step that cannot be read, and why. */
  readonly unread?: readonly string[]
}

/** The result of `inspect`. */
export interface InspectedRun {
  /** The golden's name, or the recording's id. */
  readonly name: string
  /** How the replay ended. */
  readonly outcome: 'returned' | 'threw' | 'stopped' | 'in-flight'
  /** The step at or after which the replay diverged from the recorded run and stopped. Absent if it did not. */
  readonly stoppedAt?: number
  /** The hash of the inspected replay. It equals the hash of the same replay without an inspector. */
  readonly hash: string
  /** In the order of step numbers. With `at`, only that step. */
  readonly steps: readonly InspectedStep[]
}

/** The limits of reading a variable. */
export interface InspectLimits {
  /** Levels of nested objects. Default: 6. */
  readonly depth: number
  /** Items of an array, and fields of an object. Longer ones keep the first and the last. Default: 40. */
  readonly items: number
  /** Characters of a text. Default: 2000. */
  readonly text: number
  /** Values in all frames of one stop together. Default: 4000. */
  readonly values: number
}

/** The default limits. */
export const defaultLimits: InspectLimits = { depth: 6, items: 40, text: 2000, values: 4000 }
