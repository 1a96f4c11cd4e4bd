import type { Debugger, Runtime } from 'node:inspector'
import type { DebuggerSession, Paused } from './debugger-session.ts'
import type { ScriptPosition, SourcePositions } from './source-positions.ts'

/** A place in a script where the agent makes calls; lines and columns from 0. */
export interface CallPlace {
  readonly url: string
  readonly lineNumber: number
  readonly columnNumber: number
  /** The function that contains it, identified by the place where it returns: each function has one. */
  readonly within: string
  /** Whether the function runs nothing before it, or that is not known. */
  readonly isFirst: boolean
}

/** The innermost line of the agent's own code, with the start of its function, if that is known. */
export interface AgentPosition extends ScriptPosition {
  readonly functionLocation?: ScriptPosition | undefined
}

/** Returns the innermost line of the agent's own code on the way to a call: on the stack, or on the async stack behind it (promises and timers). */
export function agentPosition({ callFrames, asyncStackTrace }: Paused, positions: SourcePositions): AgentPosition | undefined {
  const running = callFrames.find(({ location }) => positions.isOfAgent(location))
  if (running !== undefined) return { ...running.location, functionLocation: running.functionLocation }
  for (let trace: Runtime.StackTrace | undefined = asyncStackTrace; trace !== undefined; trace = trace.parent) {
    const frame = trace.callFrames.find((each) => positions.isOfAgent(each))
    if (frame !== undefined) return frame
  }
  return undefined
}

/** Returns the place where a breakpoint stops before the call at a position. */
export async function placeAt(
  session: DebuggerSession,
  position: AgentPosition,
  positions: SourcePositions,
): Promise<CallPlace | undefined> {
  const { scriptId, lineNumber, columnNumber = 0, functionLocation } = position
  const [first, ...later] = await breakLocations(session, { scriptId, lineNumber, columnNumber })
  if (first === undefined) return undefined
  const end = later.at(-1) ?? first
  const url = positions.urlOf(position)
  const [entry] = functionLocation === undefined ? [] : await breakLocations(session, functionLocation, end)
  return {
    url,
    lineNumber: first.lineNumber,
    columnNumber: first.columnNumber ?? 0,
    within: `${url}:${end.lineNumber}:${end.columnNumber ?? 0}`,
    isFirst: entry === undefined || (entry.lineNumber === first.lineNumber && entry.columnNumber === first.columnNumber),
  }
}

/** Sets breakpoints before all calls. Their conditions tell the hook which place was reached. @returns The functions of the places, by the hook's numbers. */
export async function breakBeforeCalls(
  session: DebuggerSession,
  { places, hook }: { readonly places: readonly CallPlace[]; readonly hook: string },
): Promise<readonly string[]> {
  const functions = [...new Set(places.map(({ within }) => within))]
  for (const [index, { url, lineNumber, columnNumber, within, isFirst }] of places.entries()) {
    const condition = `${hook}.before(${index}, ${functions.indexOf(within)}, ${isFirst})`
    await session.post('Debugger.setBreakpointByUrl', { url, lineNumber, columnNumber, condition })
  }
  return functions
}

/** Returns where breakpoints can stop in the function at a position, from there on; nested functions are left out. */
export async function breakLocations(
  session: DebuggerSession,
  start: ScriptPosition,
  end?: ScriptPosition,
): Promise<Debugger.BreakLocation[]> {
  const { locations } = await session.post<{ locations: Debugger.BreakLocation[] }>('Debugger.getPossibleBreakpoints', {
    start,
    ...(end !== undefined && { end }),
    restrictToFunction: true,
  })
  return locations
}
