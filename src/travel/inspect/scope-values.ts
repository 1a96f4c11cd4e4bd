import type { Debugger } from 'node:inspector'
import { declarationsIn, notDeclaredYet, type ScopeDeclarations } from './declarations.ts'
import type { ScriptTexts } from './script-texts.ts'
import type { ScriptPosition } from './source-positions.ts'

/** Which variables of a scope have a value where the program is. */
export interface ScopeValues {
  /** Those that have none: their declarations have not run. */
  readonly without: readonly string[]
  /** Of a block: whether it is known that a variable has a value. */
  isKnown(name: string): boolean
}

/** Tells the variables that have values from those of which V8 still has an earlier one. */
export class ScopeValueReader {
  readonly #texts: ScriptTexts
  readonly #scopes = new Map<string, ScopeDeclarations | undefined>()

  constructor(texts: ScriptTexts) {
    this.#texts = texts
  }

  /** @param location Where the program is, in a function that the scope belongs to. */
  async read({ type, startLocation: start, endLocation: end }: Debugger.Scope, location: ScriptPosition): Promise<ScopeValues> {
    if (start === undefined || end === undefined || (type !== 'local' && type !== 'block')) return allValues
    const text = await this.#texts.of(location.scriptId)
    const [from, to] = [text.offsetOf(start), text.offsetOf(end)]
    const key = `${location.scriptId}:${from}:${to}`
    if (!this.#scopes.has(key)) this.#scopes.set(key, declarationsIn(text.source, from, to))
    const found = this.#scopes.get(key)
    if (found === undefined) return none
    if (found.isCopy === true) return allValues
    const without = notDeclaredYet(found, text.offsetOf(location))
    if (type === 'local') return { without, isKnown: () => true }
    const known = new Set([...found.declared.flatMap(({ names }) => names), ...found.functions])
    return { without, isKnown: (name) => known.has(name) }
  }
}

/** Every variable has its value. */
export const allValues: ScopeValues = { without: [], isKnown: () => true }

/** The scope could not be read. */
const none: ScopeValues = { without: [], isKnown: () => false }
