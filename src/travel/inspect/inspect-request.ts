import type { Divergence } from '../../divergence/divergence.ts'
import type { ToolMode } from '../../replay/contract/replay-options.ts'
import type { CallPlace } from './call-places.ts'
import type { InspectedRun, InspectLimits, InspectedStep } from './inspected-run.ts'

/** The task of a process that replays a run under the debugger, as JSON in a file. */
export interface InspectRequest {
  /**
   * `plain`: no debugger. `find`: finds the places of the calls. `visit`: numbers the visits there. `read`: reads the variables there. `debug`: stops
   * there for clients.
   */
  readonly mode: 'plain' | 'find' | 'visit' | 'read' | 'debug'
  /** The name of the trace in messages, and the file with its text. */
  readonly trace: { readonly file: string; readonly path: string }
  /** The directory whose config names the agent. */
  readonly configDirectory: string
  /** `./src/agent.ts#supportAgent`, relative to the working directory: replaces the agent that the config names. */
  readonly agent?: string
  readonly tools?: Extract<ToolMode, string>
  readonly limits: InspectLimits
  /** For `debug`: the visit to stop at, and the port to listen on. */
  readonly debug?: { readonly visit: number; readonly port?: number; readonly title: string }
  /** For `read` and `debug`: the places, and the place of each call by its number. */
  readonly places?: FoundPlaces
  /** The file that the answer is written to. */
  readonly output: string
}

/** The places from which a replay makes its calls. */
export interface FoundPlaces {
  readonly places: readonly CallPlace[]
  /** An index of `places` for each call, by its number; -1 for a call whose place is not known. */
  readonly ofCall: readonly number[]
}

/** The answer of such a process. */
export interface InspectAnswer extends Pick<InspectedRun, 'hash' | 'outcome'> {
  /** The first divergence. Absent if there is none. */
  readonly divergence?: Pick<Divergence, 'cause' | 'step' | 'position'>
  /** Identifies what the replay did: equal for two replays that did the same. */
  readonly identity: string
  readonly found?: FoundPlaces
  readonly steps?: readonly InspectedStep[]
  /** The visit of the agent's code that led to each step: the visit to stop at for that step. */
  readonly visits?: readonly StepVisit[]
  /** An error of goldenrun: the replay could not run. */
  readonly problem?: { readonly code: string; readonly message: string }
}

/** A step, and the number of its visit. */
export interface StepVisit {
  readonly step: number
  readonly visit: number
  /** The call stopped the replay, and the trace does not have it. Its step is only the next one of the same name, if there is one. */
  readonly isExtra?: true
}

/** The file descriptor on which a process with a debugger reports its port's address, as a line of JSON. */
export const ADDRESS = 3
