import { breakBeforeCalls, breakLocations, type CallPlace } from './call-places.ts'
import type { DebuggerSession, Paused } from './debugger-session.ts'
import type { DebuggerReport, DebuggerTask } from './debugger-thread.ts'
import { FrameReader, waitingFrames } from './read-stop.ts'
import type { SourcePositions } from './source-positions.ts'
import type { Stop } from './stop.ts'

/** What a reader is given. */
type ReadTask = Extract<DebuggerTask, { readonly mode: 'read' }>

/** Reads the agent's variables before its calls, and where its functions continue after them. */
export class VariableReader {
  readonly #session: DebuggerSession
  readonly #positions: SourcePositions
  readonly #task: ReadTask
  readonly #frames: FrameReader
  #functions: readonly string[] = []
  /** Functions whose continuations have breakpoints. */
  readonly #continued = new Set<string>()
  readonly #stops: Stop[] = []

  constructor(session: DebuggerSession, positions: SourcePositions, task: ReadTask) {
    ;[this.#session, this.#positions, this.#task] = [session, positions, task]
    this.#frames = new FrameReader(session, positions, task.hook)
  }

  /** Sets breakpoints before all calls. */
  async begin(): Promise<void> {
    this.#functions = await breakBeforeCalls(this.#session, this.#task)
  }

  async stopped(paused: Paused): Promise<void> {
    // A statement of the agent stops it, too.
    if (paused.hitBreakpoints === undefined || paused.hitBreakpoints.length === 0) return
    const [before = 0, after = 0] = this.#task.shared
    const [frame] = paused.callFrames
    if (before !== 0 && frame !== undefined) await this.#breakAfter(frame)
    this.#stops.push({ before, after, frames: await this.#frames.read(paused), waiting: waitingFrames(paused, this.#positions) })
  }

  report(): DebuggerReport {
    return { places: [], stops: this.#stops }
  }

  /** Stops wherever the function can continue: where that is, depends on what it does with the result of the call. */
  async #breakAfter({ location, functionLocation, scopeChain }: Paused['callFrames'][number]): Promise<void> {
    const places = this.#task.places.filter(({ url }) => url === this.#positions.urlOf(location))
    const isAt = (place: CallPlace, at: { readonly lineNumber: number; readonly columnNumber?: number | undefined }): boolean =>
      place.lineNumber === at.lineNumber && place.columnNumber === at.columnNumber
    const place = places.find((each) => isAt(each, location))
    if (place === undefined || functionLocation === undefined || this.#continued.has(place.within)) return
    this.#continued.add(place.within)
    const condition = `${this.#task.hook}.after(${this.#functions.indexOf(place.within)})`
    const end = scopeChain.find(({ type }) => type === 'local')?.endLocation
    for (const { scriptId, lineNumber, columnNumber = 0 } of await breakLocations(this.#session, functionLocation, end)) {
      if (places.some((each) => isAt(each, { lineNumber, columnNumber }))) continue
      await this.#session.post('Debugger.setBreakpoint', { location: { scriptId, lineNumber, columnNumber }, condition })
    }
  }
}
