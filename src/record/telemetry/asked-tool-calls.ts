import stableStringify from 'fast-json-stable-stringify'
import type { NormalToolCall } from '../../models/dialect.ts'

/** The tool calls that models requested and that have not been made yet. From them a tool's call gets the id under which the model knows it. */
export class AskedToolCalls {
  #asked: NormalToolCall[] = []

  add(calls: readonly NormalToolCall[]): void {
    this.#asked.push(...calls)
  }

  /** Returns and removes the id of the requested call with the same arguments, or of the only one with this name. */
  claim(name: string, input: unknown): string | undefined {
    const named = this.#asked.filter((call) => call.name === name)
    const wanted = stableStringify(input)
    const claimed = named.find(({ args }) => stableStringify(args) === wanted) ?? (named.length === 1 ? named[0] : undefined)
    this.#asked = this.#asked.filter((call) => call !== claimed)
    return claimed?.id
  }
}
