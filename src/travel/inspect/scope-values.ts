import type { Debugger } from 'node:inspector'
import { declarationsIn, notDeclaredYet, type ScopeDeclarations } from './declarations.ts'
import type { ScriptTexts } from './script-texts.ts'
import type { ScriptPosition } from './source-positions.ts'

/** The variables of a scope that have a value at the current place of the program. */
export interface ScopeValues {
  /** The variables without a value: their declarations have not run. */
  readonly without: readonly string[]
  /** In a block: whether it is known that a variable has a value. */
  isKnown(name: string): boolean
}

/** Distinguishes variables that have a value from those for which V8 still holds an earlier one. */
export class ScopeValueReader {
  readonly #texts: ScriptTexts
  readonly #scopes = new Map<string, ScopeDeclarations | undefined>()

  constructor(texts: ScriptTexts) {
    this.#texts = texts
  }

  /** @param location The current place of the program, in the function that the scope belongs to. */
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

/** All variables have values. */
export const allValues: ScopeValues = { without: [], isKnown: () => true }

/** Nothing is known: the scope could not be read. */
const none: ScopeValues = { without: [], isKnown: () => false }
