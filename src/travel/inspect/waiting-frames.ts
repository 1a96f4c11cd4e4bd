import type { Runtime } from 'node:inspector'
import type { Paused } from './debugger-session.ts'
import type { AwaitingFrame } from './stacks.ts'
import type { ScriptPosition, SourcePositions } from './source-positions.ts'
import type { StoppedCaller } from './stop.ts'

/**
 * Returns the agent's functions behind the running ones, the innermost first. First the functions that await them, as V8 knows from its promises;
 * then the functions that called them, for which it is not known whether they still wait.
 */
export function waitingFrames(paused: Paused, awaiting: readonly AwaitingFrame[], positions: SourcePositions): StoppedCaller[] {
  const found: StoppedCaller[] = []
  for (const frame of awaiting) {
    const scriptId = positions.scriptOf(frame.url)
    if (scriptId !== undefined) add(found, { ...frame, scriptId }, true, positions)
  }
  for (const frame of callersOf(paused, positions)) add(found, frame, false, positions)
  return found
}

function add(
  found: StoppedCaller[],
  frame: Runtime.CallFrame | (AwaitingFrame & { scriptId: string }),
  waits: boolean,
  positions: SourcePositions,
): void {
  const at = positions.isOfAgent(frame) ? positions.sourceOf(frame) : undefined
  if (at === undefined) return
  const { functionName: name } = frame
  // A stack has the place of the call, but V8's promises have the place of the `await`.
  if (!waits && found.some((other) => other.function === name && other.at.file === at.file && other.at.line === at.line)) return
  found.push({ function: name, at, waits })
}

/** Returns V8's stacks from when functions began to wait. Frames behind a goldenrun frame belong to goldenrun, not to the agent. */
function callersOf({ callFrames, asyncStackTrace }: Paused, positions: SourcePositions): Runtime.CallFrame[] {
  const callers: Runtime.CallFrame[] = []
  const locations = callFrames.map(({ location }) => location)
  let isEntered = isEnteredByGoldenrun(locations, positions)
  for (let trace: Runtime.StackTrace | undefined = asyncStackTrace; trace !== undefined && !isEntered; trace = trace.parent) {
    callers.push(...trace.callFrames)
    isEntered = isEnteredByGoldenrun(trace.callFrames, positions)
  }
  return callers
}

/** Whether goldenrun called the agent's code on a stack: from a timer, an answer, or the run itself. */
function isEnteredByGoldenrun(frames: readonly ScriptPosition[], positions: SourcePositions): boolean {
  const below = frames.slice(frames.findLastIndex((frame) => positions.isOfAgent(frame)) + 1)
  return below.some((frame) => positions.isOfGoldenrun(frame))
}
