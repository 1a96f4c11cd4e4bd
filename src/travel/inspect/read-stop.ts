import type { Debugger, Runtime } from 'node:inspector'
import type { DebuggerSession, Paused } from './debugger-session.ts'
import type { InspectedScope } from './inspected-run.ts'
import type { SourcePositions } from './source-positions.ts'
import type { Stop, StoppedFrame, StoppedScope } from './stop.ts'

/** Reads the agent's frames while its thread is stopped. The variables are described by the hook in that thread, and stay there. */
export class FrameReader {
  readonly #session: DebuggerSession
  readonly #positions: SourcePositions
  readonly #hook: string

  /** @param hook The expression of the hook. */
  constructor(session: DebuggerSession, positions: SourcePositions, hook: string) {
    ;[this.#session, this.#positions, this.#hook] = [session, positions, hook]
  }

  /** The agent's frames, the innermost first. Modules are read once. */
  async read({ callFrames }: Pick<Paused, 'callFrames'>): Promise<StoppedFrame[]> {
    const frames: StoppedFrame[] = []
    const modules = new Set<string>()
    for (const frame of callFrames) {
      if (this.#positions.isOfAgent(frame.location)) frames.push(await this.#frame(frame, modules))
    }
    const [top] = callFrames
    if (top !== undefined) await this.#privateFields(top)
    await this.#session.post('Runtime.evaluate', { expression: `${this.#hook}.resume()` })
    return frames
  }

  async #frame(frame: Debugger.CallFrame, modules: Set<string>): Promise<StoppedFrame> {
    const scopes: StoppedScope[] = []
    const { this: self, location, scopeChain } = frame
    if (self.type === 'object' && self.objectId !== undefined && self.className !== 'global')
      scopes.push({ kind: 'local', number: await this.#call<number>(self.objectId, `return ${this.#hook}.read(this, true)`), names: {} })
    for (const scope of scopeChain) {
      const kind = kindOf(scope, this.#positions)
      const { scriptId } = location
      if (kind === undefined || scope.object.objectId === undefined || (kind === 'module' && modules.has(scriptId))) continue
      if (kind === 'module') modules.add(scriptId)
      const read = `return [${this.#hook}.read(this, false), Object.keys(this)]`
      const [number, keys] = await this.#call<[number, string[]]>(scope.object.objectId, read)
      scopes.push({ kind, number, names: namesOf(scope, keys, this.#positions) })
    }
    const at = this.#positions.sourceOf(location) ?? { file: this.#positions.urlOf(location), line: 0, column: 0 }
    return { function: nameOf(frame, this.#positions), at, scopes, unread: unreadOf(frame, this.#positions) }
  }

  /**
   * Only an expression in a frame can read private fields.
   *
   * @note `Runtime.getProperties` would read them, too, but describes errors by their stack, which runs the agent's code.
   */
  async #privateFields(frame: Debugger.CallFrame): Promise<void> {
    const { result } = await this.#session.post<Runtime.EvaluateReturnType>('Runtime.evaluate', {
      expression: `${this.#hook}.privateFields()`,
      returnByValue: true,
    })
    for (const [index, names] of (result.value as readonly (readonly string[])[]).entries()) {
      for (const name of names) {
        // The parser takes a private name outside of its class in this form only. A name that is none of the instance's throws.
        const expression = `void ${this.#hook}.addPrivate(${index}, '${name}', ${this.#hook}.instance(${index}).${name})`
        await this.#session.post('Debugger.evaluateOnCallFrame', { callFrameId: frame.callFrameId, expression, silent: true })
      }
    }
  }

  async #call<Result>(objectId: string, body: string): Promise<Result> {
    const { result, exceptionDetails } = await this.#session.post<Runtime.CallFunctionOnReturnType>('Runtime.callFunctionOn', {
      objectId,
      functionDeclaration: `function () { ${body} }`,
      returnByValue: true,
    })
    if (exceptionDetails !== undefined) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value as Result
  }
}

/** The agent's functions that led to what is running and are not on the stack any more, the innermost first. */
export function waitingFrames(paused: Paused, positions: SourcePositions): Stop['waiting'] {
  const waiting: Stop['waiting'][number][] = []
  for (let trace: Runtime.StackTrace | undefined = paused.asyncStackTrace; trace !== undefined; trace = trace.parent) {
    for (const frame of trace.callFrames) {
      const at = positions.isOfAgent(frame) ? positions.sourceOf(frame) : undefined
      if (at !== undefined) waiting.push({ function: frame.functionName, at })
    }
  }
  return waiting
}

/**
 * The kind of a scope, from V8's name for it; undefined for global scopes, which belong to the process. The outermost closure of a script is its module, where a loader has
 * put the module into a function.
 */
function kindOf({ type, startLocation }: Debugger.Scope, positions: SourcePositions): InspectedScope['kind'] | undefined {
  if (type === 'local' || type === 'block' || type === 'catch' || type === 'module') return type
  if (type !== 'closure') return undefined
  return startLocation !== undefined && positions.isStart(startLocation) ? 'module' : 'closure'
}

function namesOf(
  { startLocation: start, endLocation: end }: Debugger.Scope,
  keys: readonly string[],
  positions: SourcePositions,
): Record<string, string> {
  if (start === undefined || end === undefined) return {}
  return Object.fromEntries([...positions.namesIn({ start, end }, keys)].filter(([word, name]) => word !== name))
}

/** The name of the source, if its source map has it where the function is declared. */
function nameOf({ functionName, functionLocation }: Debugger.CallFrame, positions: SourcePositions): string {
  return (functionLocation === undefined ? undefined : positions.functionName(functionLocation, functionName)) ?? functionName
}

function unreadOf({ location }: Debugger.CallFrame, positions: SourcePositions): string[] {
  const problem = positions.problemAt(location)
  return problem === undefined ? [] : [problem]
}
