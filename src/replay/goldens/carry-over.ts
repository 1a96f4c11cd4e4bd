/** The outputs of an earlier run of a conversation: the recorded one, and the new one. */
export interface ReturnedAgain {
  readonly before: unknown
  readonly now: unknown
}

/** Shorter texts may be equal by chance: a word such as `done` is not an id. */
const shortest = 6

/**
 * Adapts the input of a run whose earlier runs were recorded again: a text that an earlier run returned, such as the id of a paused
 * conversation, becomes what that run returns at the same place now. Other texts, and texts of less than six characters, stay.
 */
export function carryOver(input: unknown, earlier: readonly ReturnedAgain[]): unknown {
  const changed = new Map<string, string>()
  for (const { before, now } of earlier) collect(before, now, changed)
  return changed.size === 0 ? input : replaceTexts(input, changed)
}

function collect(before: unknown, now: unknown, changed: Map<string, string>): void {
  if (typeof before === 'string' && typeof now === 'string') {
    if (before !== now && before.length >= shortest) changed.set(before, now)
  } else if (isTree(before) && isTree(now)) {
    for (const [key, value] of Object.entries(before)) collect(value, Reflect.get(now, key), changed)
  }
}

function replaceTexts(value: unknown, changed: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return changed.get(value) ?? value
  if (Array.isArray(value)) return value.map((item) => replaceTexts(item, changed))
  if (!isTree(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, replaceTexts(field, changed)]))
}

/** A list or a plain object. */
function isTree(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}
