import { parseJson, type PathKey } from './json.ts'

/** Matches every field of an object and every item of an array. */
export const anyKey: unique symbol = Symbol('any key')

/** Keys from the root of a value to places in it; `[*]` in a path matches any key. */
export type PathPattern = readonly (PathKey | typeof anyKey)[]

/** Formats a path: `$.items[0]["odd key"]`. @param root The start of the path, `$` by default. */
export function toPath(keys: readonly PathKey[], root: string = '$'): string {
  let path = root
  for (const key of keys) {
    if (typeof key === 'number') path += `[${key}]`
    else if (/^[A-Za-z_][\w$]*$/.test(key)) path += path === '' ? key : `.${key}`
    else path += `[${JSON.stringify(key)}]`
  }
  return path
}

/**
 * Parses a path in the format of `toPath` with an empty root, and patterns of such paths: `messages[*].metadata.requestId`, `headers["x-tenant"]`. A
 * name with characters other than letters, digits, `_` and `$` is written in brackets and double quotes; `[*]` matches every field or item.
 *
 * @returns The pattern, or why the path is invalid, to be read after "has to be a path".
 */
export function parsePath(path: string): PathPattern | { readonly problem: string } {
  const keys: PathPattern[number][] = []
  for (let rest = path; rest !== '' || keys.length === 0;) {
    const match = (keys.length === 0 ? first : further).exec(rest)
    if (match === null) return { problem: `${JSON.stringify(path)} cannot be parsed from ${JSON.stringify(rest)} on` }
    const { name, index, quoted } = match.groups ?? {}
    const key = quoted === undefined ? name : (parseJson(quoted) as string | undefined)
    if (quoted !== undefined && key === undefined) return { problem: `${JSON.stringify(path)} holds ${quoted}, which is not text` }
    keys.push(key ?? (index === undefined ? anyKey : Number(index)))
    rest = rest.slice(match[0].length)
  }
  return keys
}

const bracketed = String.raw`\[(?:\*|(?<index>0|[1-9]\d*)|(?<quoted>"(?:[^"\\]|\\.)*"))\]`
const first = new RegExp(String.raw`^(?:(?<name>[A-Za-z_][\w$]*)|${bracketed})`)
const further = new RegExp(String.raw`^(?:\.(?<name>[A-Za-z_][\w$]*)|${bracketed})`)
