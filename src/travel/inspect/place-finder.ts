import { type AgentPosition, agentPosition, type CallPlace, placeAt } from './call-places.ts'
import type { DebuggerSession, Paused } from './debugger-session.ts'
import type { DebuggerReport, DebuggerTask } from './debugger-thread.ts'
import { knownOrMade } from '../../trace/remember.ts'
import { learnTexts } from './script-texts.ts'
import type { SourcePositions } from './source-positions.ts'

/** Finds the agent's place of each call: the replay stops itself at each call. */
export class PlaceFinder {
  readonly #session: DebuggerSession
  readonly #positions: SourcePositions
  readonly #shared: DebuggerTask['shared']
  /** By the number of the call. */
  readonly #places: (CallPlace | undefined)[] = []
  readonly #known = new Map<string, Promise<CallPlace | undefined>>()

  constructor(session: DebuggerSession, positions: SourcePositions, { shared }: Pick<DebuggerTask, 'shared'>) {
    ;[this.#session, this.#positions, this.#shared] = [session, positions, shared]
  }

  async begin(): Promise<void> {
    // No breakpoints: the replay stops with a `debugger` statement.
  }

  async stopped(paused: Paused): Promise<void> {
    // A `debugger` statement of the agent stops here as well.
    if (paused.callFrames[0]?.functionName !== 'stopForPlace') return
    await learnTexts(paused, this.#session, this.#positions)
    const position = agentPosition(paused, this.#positions)
    const number = this.#shared[2] ?? 0
    this.#places[number] = position === undefined ? undefined : await this.#placeAt(position)
  }

  /** Caches places: most calls are made from few of them. */
  async #placeAt(position: AgentPosition): Promise<CallPlace | undefined> {
    const key = `${position.scriptId}:${position.lineNumber}:${position.columnNumber}`
    return await knownOrMade(this.#known, key, () => placeAt(this.#session, position, this.#positions))
  }

  report(): DebuggerReport {
    return { places: Array.from(this.#places, (place) => place ?? null), stops: [] }
  }
}
