import type { PathKey } from '../trace/json.ts'
import { anyKey, type PathPattern } from '../trace/path.ts'
import type { Columns } from './columns.ts'
import type { RuleSet } from './rule-set.ts'

/** The place of the value that is looked at: the names and indexes that lead to it, and the columns that it stands for. */
export class WalkedPlace {
  readonly #rules: Pick<RuleSet, 'paths' | 'isField'>
  #keys: PathKey[] = []
  /** Columns of what is below this place, and how many keys lead to it. */
  #columns: { readonly at: Columns['at']; readonly depth: number } | undefined

  constructor(rules: Pick<RuleSet, 'paths' | 'isField'>) {
    this.#rules = rules
  }

  /** Looks at what is below a key. @param columns Of what stands there. */
  into<Result>(key: PathKey, look: () => Result, columns?: Columns): Result {
    const outer = this.#columns
    this.#keys.push(key)
    if (columns !== undefined) this.#columns = { at: columns.at, depth: this.#keys.length }
    const result = look()
    this.#columns = outer
    this.#keys.pop()
    return result
  }

  /** Looks at a value that has a place of its own. One that fails halfway leaves no keys behind. */
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

  /** The name of the field that the value stands in. That of a column only where it is that of a secret: `id` may be a card's in a table. */
  get field(): string | undefined {
    const last = this.#keys.at(-1)
    return this.#names().find((name) => this.#rules.isField(name)) ?? (typeof last === 'string' ? last : undefined)
  }

  /** Whether what stands here is a column's. */
  get isInColumns(): boolean {
    return this.#columns !== undefined
  }

  /** Whether a path of the user's leads here. */
  get isSecret(): boolean {
    if (this.#rules.paths.length === 0) return false
    const above = this.#keys.slice(0, -1)
    return this.isNamed(this.#keys) || this.#names().some((name) => this.isNamed([...above, name]))
  }

  /** Whether a path of the user's leads to a place. */
  isNamed(place: readonly PathKey[]): boolean {
    return this.#rules.paths.some(({ path }) => endsWithPath(place, path))
  }

  #names(): readonly string[] {
    return this.#columns?.at(this.#keys.slice(this.#columns.depth)) ?? none
  }
}

const none: readonly string[] = []

/** Whether the last of the keys that lead to a value are those of a path. */
function endsWithPath(keys: readonly PathKey[], path: PathPattern): boolean {
  const start = keys.length - path.length
  return start >= 0 && path.every((expected, index) => expected === anyKey || expected === keys[start + index])
}
