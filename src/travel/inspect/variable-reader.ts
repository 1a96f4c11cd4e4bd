import type { Debugger } from 'node:inspector'
import { breakBeforeCalls, breakLocations, type CallPlace } from './call-places.ts'
import type { DebuggerSession, Paused } from './debugger-session.ts'
import type { DebuggerReport, DebuggerTask } from './debugger-thread.ts'
import { FrameReader } from './read-stop.ts'
import { learnTexts, ScriptTexts } from './script-texts.ts'
import { isInOneStatement } from './tokens.ts'
import type { SourcePositions } from './source-positions.ts'
import type { Stop } from './stop.ts'

/** The task of a reader. */
type ReadTask = Extract<DebuggerTask, { readonly mode: 'read' }>

/** Reads the agent's variables before its calls, and after them where its functions continue. */
export class VariableReader {
  readonly #session: DebuggerSession
  readonly #positions: SourcePositions
  readonly #task: ReadTask
  readonly #frames: FrameReader
  readonly #texts: ScriptTexts
  #functions: readonly string[] = []
  /** Functions whose continuations have breakpoints. */
  readonly #continued = new Map<string, string[]>()
  readonly #stops: Stop[] = []

  constructor(session: DebuggerSession, positions: SourcePositions, task: ReadTask) {
    this.#session = session
    this.#positions = positions
    this.#task = task
    this.#texts = new ScriptTexts(session)
    this.#frames = new FrameReader(session, positions, task.hook, this.#texts)
  }

  /** Sets breakpoints before all calls. */
  async begin(): Promise<void> {
    this.#functions = await breakBeforeCalls(this.#session, this.#task)
  }

  async stopped(paused: Paused): Promise<void> {
    // A `debugger` statement of the agent stops here as well.
    if (paused.hitBreakpoints === undefined || paused.hitBreakpoints.length === 0) return
    const [before = 0, after = 0, , tooBusy = 0] = this.#task.shared
    if (tooBusy > 0) return await this.#leave(tooBusy - 1)
    await learnTexts(paused, this.#session, this.#positions)
    const [frame] = paused.callFrames
    if (before !== 0 && frame !== undefined) {
      await this.#breakAfter(frame)
      if (isRecursive(paused.callFrames)) await this.#session.evaluate(`${this.#task.hook}.forget()`)
    }
    this.#stops.push({ before, after, ...(await this.#frames.read(paused)) })
  }

  report(): DebuggerReport {
    return { places: [], stops: this.#stops }
  }

  /** Stops looking at the continuations of a function that runs too often. */
  async #leave(number: number): Promise<void> {
    for (const breakpointId of this.#continued.get(this.#functions[number] ?? '') ?? [])
      await this.#session.post('Debugger.removeBreakpoint', { breakpointId })
  }

  /** Sets breakpoints wherever the function can continue, which depends on how it uses the result of the call. */
  async #breakAfter({ location, functionLocation, scopeChain }: Paused['callFrames'][number]): Promise<void> {
    const places = this.#task.places.filter(({ url }) => url === this.#positions.urlOf(location))
    const isAt = (place: CallPlace, at: { readonly lineNumber: number; readonly columnNumber?: number | undefined }): boolean =>
      place.lineNumber === at.lineNumber && place.columnNumber === at.columnNumber
    const place = places.find((each) => isAt(each, location))
    if (place === undefined || functionLocation === undefined || this.#continued.has(place.within)) return
    const breakpoints: string[] = []
    this.#continued.set(place.within, breakpoints)
    const number = this.#functions.indexOf(place.within)
    const end = scopeChain.find(({ type }) => type === 'local')?.endLocation
    const locations = await breakLocations(this.#session, functionLocation, end)
    const text = await this.#texts.of(location.scriptId)
    const sites = places.filter(({ within }) => within === place.within)
    for (const [index, { scriptId, lineNumber, columnNumber = 0, type }] of locations.entries()) {
      const offset = text.offsetOf({ lineNumber, columnNumber })
      const own = type === 'return' ? [] : sites.filter((site) => isInOneStatement(text.source, text.offsetOf(site), offset))
      const numbers = JSON.stringify(own.map((site) => this.#task.places.indexOf(site)))
      // A function begins at its first location, and continues at the others.
      const condition = `${this.#task.hook}.${index === 0 ? `enter(${number})` : `after(${number}, ${numbers})`}`
      if (places.some((each) => isAt(each, { lineNumber, columnNumber }))) continue
      const set = { location: { scriptId, lineNumber, columnNumber }, condition }
      breakpoints.push((await this.#session.post<Debugger.SetBreakpointReturnType>('Debugger.setBreakpoint', set)).breakpointId)
    }
  }
}

/** Whether the innermost function is on the stack more than once. */
function isRecursive([innermost, ...others]: Paused['callFrames']): boolean {
  const at = innermost?.functionLocation
  return others.some(
    ({ functionLocation: other }) =>
      at !== undefined && other?.scriptId === at.scriptId && other.lineNumber === at.lineNumber && other.columnNumber === at.columnNumber,
  )
}
