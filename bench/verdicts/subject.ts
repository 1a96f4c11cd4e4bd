import type { Trace } from 'goldenrun/replay'
import type { RunLog } from './world/run-log.ts'

/** An agent as any of them: what it takes is its subject's business. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyAgent = (input: any, context?: any) => Promise<unknown>

/** An agent that is mutated, with the worlds it is tried out in. */
export interface Subject<Kind extends Scene = Scene> {
  /** The folder of its files. */
  readonly source: string
  /**
   * Starts its world and has its runs recorded.
   *
   * @param folder Where recordings and goldens go.
   * @param most How many runs, at most. Default: all there are.
   */
  open(folder: string, most?: number): Promise<Stage<Kind>>
}

/** The recorded runs of a subject. */
export interface Stage<Kind extends Scene = Scene> extends AsyncDisposable {
  readonly scenes: readonly Kind[]
}

/** One recorded run. */
export interface Scene {
  readonly name: string
  readonly trace: Trace
  /** What the world saw when it was recorded. */
  readonly log: RunLog
  /** What the agent is given in a replay. */
  readonly context: unknown
  /** The agent whose files are in a folder. */
  agentOf(folder: string): Promise<AnyAgent>
  /** Runs an agent in a world like the recorded one, without goldenrun, and gives what the world saw. */
  tryOut(agent: AnyAgent): Promise<RunLog>
}
