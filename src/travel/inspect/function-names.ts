/**
 * Returns the name that a function has in its source; empty for an anonymous function. V8 invents some names: it calls a function that is an argument
 * by the variable to which the result of the call is assigned.
 *
 * @param at The offset at which the function begins: its parameters, or `async`.
 */
export function declaredName(source: string, at: number, name: string): string {
  if (name === '' || name.startsWith('<')) return name
  const before = source.slice(Math.max(0, at - LONGEST), at).replace(/(?:\basync\s+)?(?:\bfunction\b\s*)?\*?\s*$/, '')
  if (source.startsWith('class', at) || before.endsWith('constructor')) return name
  if (name === 'default') return /\bexport\s+default\s*$/.test(before) ? name : ''
  const last = name.replace(/^(?:get|set) /, '').replace(/^.*\.(?=[^.\]]+$)/, '')
  const named = before.trimEnd()
  if (named.endsWith(last)) return name
  // `name = `, `name: `, `['name'] = (`, and esbuild's wrapper that keeps a function's name
  const assigned = /^([^]*?)["'`]?\]?\s*(?::|(?:\?\?|\|\||&&)?=)\s*\(*(?:\/\*[^*]*\*\/\s*)?(?:__name\()?\s*$/.exec(named)
  return assigned?.[1]?.trimEnd().endsWith(last) === true ? name : ''
}

/** The number of characters before a function that are searched. */
const LONGEST = 200
