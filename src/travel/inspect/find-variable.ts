import { isJsonArray, isJsonObject, type Json } from '../../trace/json.ts'
import type { FramePlace, InspectedFrame, InspectedRun } from './inspected-run.ts'

/** A moment at which a variable has a new value. */
export interface VariableChange {
  readonly step: number
  /** Before the call of the step, or after it, where the function continues. */
  readonly moment: 'before' | 'after'
  readonly frame: FramePlace
  readonly value: Json
}

/** Returns the names in a path such as `order.items[0].status`; the first names a variable. */
function parseVariablePath(path: string): readonly string[] {
  return [...path.matchAll(/\[(?:"([^"]*)"|'([^']*)'|(\d+))\]|([^.[\]]+)/g)].map(
    ([, double, single, index, name]) => double ?? single ?? index ?? name ?? '',
  )
}

/** Returns where a variable changed in a run: its first value, and each value that differs from the one before. The innermost variable of that name counts. */
export function findChanges({ steps }: Pick<InspectedRun, 'steps'>, path: string): readonly VariableChange[] {
  const names = parseVariablePath(path)
  const changes: VariableChange[] = []
  let last: string | undefined
  const moments = steps.flatMap(({ step, frames, after = [] }) => [
    { step, moment: 'before' as const, frames },
    { step, moment: 'after' as const, frames: after },
  ])
  for (const { step, moment, frames } of moments) {
    const found = lookUp(frames, names)
    if (found === undefined) continue
    const printed = JSON.stringify(found.value)
    if (printed === last) continue
    last = printed
    const { function: name, file, line, column } = found.frame
    changes.push({ step, moment, frame: { function: name, file, line, column }, value: found.value })
  }
  return changes
}

function lookUp(
  frames: readonly InspectedFrame[],
  [name = '', ...fields]: readonly string[],
): { readonly frame: InspectedFrame; readonly value: Json } | undefined {
  for (const frame of frames) {
    for (const { variables } of frame.scopes) {
      if (!Object.hasOwn(variables, name)) continue
      const value = fields.reduce<Json | undefined>((holder, field) => fieldOf(holder, field), variables[name])
      if (value !== undefined) return { frame, value }
    }
  }
  return undefined
}

function fieldOf(holder: Json | undefined, name: string): Json | undefined {
  if (isJsonArray(holder)) return itemAt(holder, Number(name))
  if (!isJsonObject(holder)) return undefined
  const { $, ...fields } = holder
  // Descriptions put quotes around the name of a field called `$`.
  const written = name === '$' ? '"$"' : name
  const own = Object.hasOwn(fields, written) ? fields[written] : undefined
  if (own !== undefined || !isJsonObject($)) return own
  const { map, items } = $ as { readonly map?: readonly (readonly [Json, Json])[]; readonly items?: Json }
  return map?.find((entry) => Array.isArray(entry) && isKey(entry[0], name))?.[1] ?? fieldOf(items, name)
}

function isKey(key: Json, name: string): boolean {
  return typeof key === 'object' ? JSON.stringify(key) === name : `${key}` === name
}

/** Returns an item by its index, even if items before it were left out. */
function itemAt(items: readonly Json[], index: number): Json | undefined {
  let at = 0
  for (const item of items) {
    const more = moreIn(item)
    if (more === 0 && at === index) return item
    at += more === 0 ? 1 : more
  }
  return undefined
}

function moreIn(item: Json): number {
  const described = isJsonObject(item) ? item['$'] : undefined
  return isJsonObject(described) && typeof described['more'] === 'number' ? described['more'] : 0
}
