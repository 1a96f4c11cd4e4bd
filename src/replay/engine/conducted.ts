import type { AgentTurns } from '../../run/agent-turns.ts'
import type { CompletionRow } from '../../trace/rows.ts'
import type { OpeningConnections } from './opening-connections.ts'
import type { WorkStart } from './own-work.ts'

/** What the conductor needs from the run. */
export interface Conducted {
  /** Decides on the calls made since the last turn. Returns whether there were any. */
  settleCalls(): boolean
  /** Decides on the calls that came too early, once the run waits for nothing else. Returns whether there were any. */
  settleEarlyCalls(): boolean
  /** Cuts off request bodies whose rest is not needed. Returns whether there were any. */
  cutBodies(): boolean
  /** Whether nothing more must be released, because the replay was stopped. */
  readonly stopped: boolean
  /** The connections that the run opens. */
  readonly opening: Pick<OpeningConnections, 'isHeld' | 'pass'>
  /** Whether the replay has to end although the agent continues. */
  readonly exhausted: boolean
  /** Whether the agent has returned or thrown. */
  readonly finished: boolean
  /** The run's own activity. */
  activity(): Activity
  readonly turns: AgentTurns
  /** Whether the run has done its own work since something was released. */
  hasWorked(): boolean
  /** If any of that work has finished since: where it began. */
  behindWork(): WorkStart | undefined
  /** Whether the run's own work was in progress when something was released, so that the order depended on speed. */
  readonly racedOwnWork: boolean
  /** Whether a recorded step is being called: its request body is still being sent. */
  isArriving(step: number): boolean
  /** Completions of the recording are released now: those of a tick, or of a step that was made late. */
  releases(rows: readonly CompletionRow[], when: 'in place' | 'late'): void
  signal(name: string, value: unknown): void
  /** Everything that reached the recorded run before it settled has been released. May be called more than once. */
  passEnd(): void
  /** Nothing can happen any more. */
  over(): void
}

/**
 * What a run does by itself: it works (a file, an answer of its own), sends a request body or has a live contact, waits for the next turn of
 * the event loop, or does nothing.
 */
export type Activity = 'working' | 'sending' | 'turning' | 'none'
