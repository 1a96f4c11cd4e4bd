import type { SourcePosition } from './source-positions.ts'
import type { Json } from '../../trace/json.ts'
import type { InspectedScope } from './inspected-run.ts'

/** A scope as it was read at a stop. */
export interface StoppedScope {
  readonly kind: InspectedScope['kind']
  /** The number under which the hook keeps its variables. */
  readonly number: number
  /** Names in the source by names in the script, where they differ. */
  readonly names: Readonly<Record<string, string>>
}

/** A frame of the agent as it was read at a stop. */
export interface StoppedFrame {
  readonly function: string
  readonly at: SourcePosition
  readonly scopes: readonly StoppedScope[]
  readonly unread: readonly string[]
}

/** A function of the agent behind the running ones. */
export interface StoppedCaller extends Pick<StoppedFrame, 'function' | 'at'> {
  /** Whether it is known to await them. */
  readonly waits: boolean
}

/** A stop of the agent's thread, as the debugger's thread reports it. */
export interface Stop {
  /** The visit that begins here, by its number; 0 if none does. */
  readonly before: number
  /** The visit after whose calls the function continues here; 0 if none. */
  readonly after: number
  readonly frames: readonly StoppedFrame[]
  readonly waiting: readonly StoppedCaller[]
}

/** A stop as goldenrun's terminal reads it. */
export interface ReadStop extends Pick<Stop, 'frames' | 'waiting'> {
  /** Variables by the numbers of scopes. */
  readonly scopes: Readonly<Record<number, readonly (readonly [name: string, value: Json])[]>>
  /** The environment variables that the agent's process has had so far. */
  readonly environment: readonly (readonly [name: string, value: string])[]
  /** The inspector's ids of the frames. */
  readonly callFrames: readonly string[]
}
