import type { PathKey } from '../trace/json.ts'
import { anyKey, type PathPattern } from '../trace/path.ts'
import type { Columns } from './columns.ts'
import type { RuleSet } from './rule-set.ts'

/** The place of the current value: the names and indexes that lead to it, and the columns that apply to it. */
export class WalkedPlace {
  readonly #rules: Pick<RuleSet, 'paths' | 'isField'>
  #keys: PathKey[] = []
  /** The columns that apply below this place, and how many keys lead to it. */
  #columns: { readonly at: Columns['at']; readonly depth: number } | undefined

  constructor(rules: Pick<RuleSet, 'paths' | 'isField'>) {
    this.#rules = rules
  }

  /** Visits the value below a key. @param columns The columns of that value. */
  into<Result>(key: PathKey, look: () => Result, columns?: Columns): Result {
    const outer = this.#columns
    this.#keys.push(key)
    if (columns !== undefined) this.#columns = { at: columns.at, depth: this.#keys.length }
    const result = look()
    this.#columns = outer
    this.#keys.pop()
    return result
  }

  /** Visits a value with a place of its own. If the visit throws, no keys are left behind. */
  apart<Result>(at: readonly PathKey[], look: () => Result): Result {
    const [keys, columns] = [this.#keys, this.#columns]
    this.#keys = [...at]
    this.#columns = undefined
    try {
      return look()
    } finally {
      this.#keys = keys
      this.#columns = columns
    }
  }

  /** The name of the field that contains the value. A column's name counts only if it names a secret: `id` may be a card's in a table. */
  get field(): string | undefined {
    const last = this.#keys.at(-1)
    return this.#names().find((name) => this.#rules.isField(name)) ?? (typeof last === 'string' ? last : undefined)
  }

  /** Whether the value belongs to a column. */
  get isInColumns(): boolean {
    return this.#columns !== undefined
  }

  /** Whether a path of the user's matches here. */
  get isSecret(): boolean {
    if (this.#rules.paths.length === 0) return false
    const above = this.#keys.slice(0, -1)
    return this.isNamed(this.#keys) || this.#names().some((name) => this.isNamed([...above, name]))
  }

  /** Returns whether a path of the user's matches a place. */
  isNamed(place: readonly PathKey[]): boolean {
    return this.#rules.paths.some(({ path }) => endsWithPath(place, path))
  }

  #names(): readonly string[] {
    return this.#columns?.at(this.#keys.slice(this.#columns.depth)) ?? none
  }
}

const none: readonly string[] = []

/** Returns whether the last keys of a place match a path. */
function endsWithPath(keys: readonly PathKey[], path: PathPattern): boolean {
  const start = keys.length - path.length
  return start >= 0 && path.every((expected, index) => expected === anyKey || expected === keys[start + index])
}
