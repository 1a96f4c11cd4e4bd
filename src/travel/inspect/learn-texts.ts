import type { DebuggerSession, Paused } from './debugger-session.ts'
import type { SourcePositions } from './source-positions.ts'

/** Reads the texts of the scripts of a stack: the agent's code in them has to be known before the stack is looked at. */
export async function learnTexts(
  { callFrames, asyncStackTrace }: Paused,
  session: DebuggerSession,
  positions: SourcePositions,
): Promise<void> {
  const places: { readonly scriptId: string }[] = callFrames.map(({ location }) => location)
  for (let trace = asyncStackTrace; trace !== undefined; trace = trace.parent) places.push(...trace.callFrames)
  for (const { scriptId } of places) {
    if (!positions.needsText({ scriptId })) continue
    const { scriptSource } = await session.post<{ readonly scriptSource: string }>('Debugger.getScriptSource', { scriptId })
    positions.addText(scriptId, scriptSource)
  }
}
