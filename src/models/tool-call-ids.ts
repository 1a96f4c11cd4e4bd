import type { Dialect } from './dialect.ts'

/**
 * Returns a copy of a request's JSON in which the provider's ids of tool calls are `call_1`, `call_2` … in the order of the conversation, so that two
 * requests that differ only in those ids become equal.
 *
 * @note Each call gets a number of its own, not each id: some conversations use one id for several calls (τ-bench, a quarter of its airline runs). A
 * result takes the number of the latest call with its id that has no result yet. A result whose call is not in the request (trimmed history) takes
 * the next number, and so do the later results with the same id.
 */
export function renameToolCallIds(json: unknown, dialect: Dialect): unknown {
  const numbers = new Map<string, Numbers>()
  let count = 0
  return dialect.renameToolCalls(json, (of, id) => {
    const known = numbers.get(id)
    if (of === 'call' || known === undefined) {
      const number = ++count
      numbers.set(id, { open: of === 'call' ? [...(known?.open ?? []), number] : [], latest: number })
      return `call_${number}`
    }
    return `call_${known.open.pop() ?? known.latest}`
  })
}

interface Numbers {
  /** The numbers of the calls with this id that have no result yet. */
  readonly open: number[]
  readonly latest: number
}
