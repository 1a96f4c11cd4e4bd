import type { Debugger, Runtime } from 'node:inspector'
import { declaredName } from './function-names.ts'
import type { DebuggerSession, Paused } from './debugger-session.ts'
import type { InspectedScope } from './inspected-run.ts'
import { ScriptTexts } from './script-texts.ts'
import { allValues, ScopeValueReader } from './scope-values.ts'
import type { SourcePositions } from './source-positions.ts'
import type { AwaitingFrame } from './stacks.ts'
import type { Stop, StoppedFrame, StoppedScope } from './stop.ts'
import { waitingFrames } from './waiting-frames.ts'

/** Reads the agent's frames while its thread is stopped. The hook in that thread describes the variables and keeps them. */
export class FrameReader {
  readonly #session: DebuggerSession
  readonly #positions: SourcePositions
  readonly #hook: string
  readonly #texts: ScriptTexts
  readonly #values: ScopeValueReader

  /** @param hook The expression that reaches the hook. */
  constructor(session: DebuggerSession, positions: SourcePositions, hook: string, texts: ScriptTexts = new ScriptTexts(session)) {
    ;[this.#session, this.#positions, this.#hook] = [session, positions, hook]
    this.#texts = texts
    this.#values = new ScopeValueReader(texts)
  }

  /** Returns the agent's frames and the functions behind them, the innermost first. Modules are read once. */
  async read(paused: Paused): Promise<Pick<Stop, 'frames' | 'waiting'>> {
    const awaiting = await this.#session.evaluate<readonly AwaitingFrame[]>(`${this.#hook}.awaiting()`)
    const waiting = waitingFrames(paused, awaiting, this.#positions)
    const { callFrames } = paused
    const frames: StoppedFrame[] = []
    const modules = new Set<string>()
    for (const frame of callFrames) {
      if (this.#positions.isOfAgent(frame.location)) frames.push(await this.#frame(frame, modules))
    }
    const [top] = callFrames
    if (top !== undefined) await this.#privateFields(top)
    await this.#session.evaluate(`${this.#hook}.resume()`)
    return { frames, waiting }
  }

  async #frame(frame: Debugger.CallFrame, modules: Set<string>): Promise<StoppedFrame> {
    const scopes: StoppedScope[] = []
    const { this: self, location, scopeChain } = frame
    const problem = this.#positions.problemAt(location)
    const unread = problem === undefined ? [] : [problem]
    if (self.type === 'object' && self.objectId !== undefined && self.className !== 'global')
      scopes.push({
        kind: 'local',
        number: await this.#call<number>(self.objectId, `return ${this.#hook}.read(this, true, [])`),
        names: {},
      })
    const ownScopes = scopeChain.findIndex(({ type }) => type === 'local') + 1
    for (const [index, scope] of scopeChain.entries()) {
      const isOwn = index < ownScopes
      const kind = kindOf(scope, isOwn, this.#positions)
      const { scriptId } = location
      if (kind === undefined || scope.object.objectId === undefined || (kind === 'module' && modules.has(scriptId))) continue
      if (kind === 'module') modules.add(scriptId)
      // Variables captured by an inner function are never stale: V8 keeps them in a context, not in a register.
      const { without, isKnown } = isOwn ? await this.#values.read(scope, location) : allValues
      const { objectId } = scope.object
      const keys = await this.#call<string[]>(objectId, `return ${this.#hook}.namesOf(this)`)
      const unsure = keys.filter((name) => !isKnown(name))
      if (unsure.length > 0) unread.push(`Left out, because it is not known whether they have values yet: ${unsure.join(', ')}.`)
      const generated = keys.filter((name) => this.#positions.isGenerated(scriptId, name))
      const leftOut = JSON.stringify([...without, ...unsure, ...generated])
      const number = await this.#call<number>(objectId, `return ${this.#hook}.read(this, false, ${leftOut})`)
      scopes.push({ kind, number, names: namesOf(scope, keys, this.#positions) })
    }
    const at = this.#positions.sourceOf(location) ?? { file: this.#positions.urlOf(location), line: 0, column: 0 }
    return { function: await this.#nameOf(frame), at, scopes, unread }
  }

  /**
   * Reads private fields with an expression in the frame; nothing else can read them.
   *
   * @note `Runtime.getProperties` would read them as well, but it describes errors by their stack, which runs the agent's code.
   */
  async #privateFields(frame: Debugger.CallFrame): Promise<void> {
    const fields = await this.#session.evaluate<readonly (readonly string[])[]>(`${this.#hook}.privateFields()`)
    for (const [index, names] of fields.entries()) {
      for (const name of names) {
        // Outside of its class, the parser accepts a private name in this form only. A name that the instance does not have throws.
        const expression = `void ${this.#hook}.addPrivate(${index}, '${name}', ${this.#hook}.instance(${index}).${name})`
        await this.#session.post('Debugger.evaluateOnCallFrame', { callFrameId: frame.callFrameId, expression, silent: true })
      }
    }
  }

  /** Returns the function's name in the source, if its source map has it where the function is declared. */
  async #nameOf({ functionName, functionLocation }: Debugger.CallFrame): Promise<string> {
    if (functionLocation === undefined) return functionName
    const mapped = this.#positions.functionName(functionLocation, functionName)
    if (mapped !== undefined) return mapped
    const text = await this.#texts.of(functionLocation.scriptId)
    return declaredName(text.source, text.offsetOf(functionLocation), functionName)
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

/**
 * Returns the kind of a scope by V8's name for it; undefined for global scopes, which belong to the process. If a loader wraps modules in functions,
 * the outermost closure of a script is its module.
 */
function kindOf({ type, startLocation }: Debugger.Scope, isOwn: boolean, positions: SourcePositions): InspectedScope['kind'] | undefined {
  if (type === 'module') return type
  if (type === 'local' || type === 'block' || type === 'catch') return isOwn ? type : 'closure'
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
