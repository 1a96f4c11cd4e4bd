import type { Debugger } from 'node:inspector'
import { knownOrMade } from '../../trace/remember.ts'
import type { DebuggerSession, Paused } from './debugger-session.ts'
import type { ScriptPosition, SourcePositions } from './source-positions.ts'

/** The texts of the running scripts. */
export class ScriptTexts {
  readonly #session: DebuggerSession
  readonly #texts = new Map<string, Promise<ScriptText>>()

  constructor(session: DebuggerSession) {
    this.#session = session
  }

  async of(scriptId: string): Promise<ScriptText> {
    return await knownOrMade(this.#texts, scriptId, async () => {
      const { scriptSource } = await this.#session.post<Debugger.GetScriptSourceReturnType>('Debugger.getScriptSource', { scriptId })
      return new ScriptText(scriptSource)
    })
  }
}

/** A script with the offsets of its lines, as V8 counts them. */
export class ScriptText {
  readonly source: string
  readonly #lines: readonly number[]

  constructor(source: string) {
    this.source = source
    this.#lines = [0, ...Array.from(source.matchAll(/\r\n|[\n\r\u2028\u2029]/g), ({ index, 0: end }) => index + end.length)]
  }

  offsetOf({ lineNumber, columnNumber = 0 }: Pick<ScriptPosition, 'lineNumber' | 'columnNumber'>): number {
    return (this.#lines[lineNumber] ?? this.source.length) + columnNumber
  }
}

/** Reads the texts of the scripts on a stack. They are needed to distinguish the agent's code before the stack is read. */
export async function learnTexts(
  { callFrames, asyncStackTrace }: Paused,
  session: DebuggerSession,
  positions: SourcePositions,
): Promise<void> {
  const places: { readonly scriptId: string }[] = callFrames.map(({ location }) => location)
  for (let trace = asyncStackTrace; trace !== undefined; trace = trace.parent) places.push(...trace.callFrames)
  for (const { scriptId } of places) {
    if (!positions.needsText({ scriptId })) continue
    const { scriptSource } = await session.post<Debugger.GetScriptSourceReturnType>('Debugger.getScriptSource', { scriptId })
    positions.addText(scriptId, scriptSource)
  }
}
