import stableStringify from 'fast-json-stable-stringify'
import type { NormalToolCall } from '../../models/dialect.ts'

/** The tool calls that models asked for and no tool has been called for yet: they give a tool's call the id that the model knows it by. */
export class AskedToolCalls {
  #asked: NormalToolCall[] = []

  add(calls: readonly NormalToolCall[]): void {
    this.#asked.push(...calls)
  }

  /** The id of the call that a tool is called for: of the same arguments, else the only one of its name. It is another call's no more. */
  claim(name: string, input: unknown): string | undefined {
    const named = this.#asked.filter((call) => call.name === name)
    const wanted = stableStringify(input)
    const claimed = named.find(({ args }) => stableStringify(args) === wanted) ?? (named.length === 1 ? named[0] : undefined)
    this.#asked = this.#asked.filter((call) => call !== claimed)
    return claimed?.id
  }
}
