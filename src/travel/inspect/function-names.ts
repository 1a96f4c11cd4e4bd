/**
 * The name that a function has in its source; empty for one without. V8 invents some: it calls a function that is an argument by what the result of the call is
 * assigned to.
 *
 * @param at The offset at which the function begins: at its parameters, or at `async`.
 */
export function declaredName(source: string, at: number, name: string): string {
  if (name === '' || name.startsWith('<')) return name
  const before = source.slice(Math.max(0, at - LONGEST), at).replace(/(?:\basync\s+)?(?:\bfunction\b\s*)?\*?\s*$/, '')
  if (source.startsWith('class', at) || before.endsWith('constructor')) return name
  if (name === 'default') return /\bexport\s+default\s*$/.test(before) ? name : ''
  const last = name.replace(/^(?:get|set) /, '').replace(/^.*\.(?=[^.\]]+$)/, '')
  const named = before.trimEnd()
  if (named.endsWith(last)) return name
  // `name = `, `name: `, `['name'] = (`, and what esbuild puts around a function to keep its name
  const assigned = /^([^]*?)["'`]?\]?\s*(?::|(?:\?\?|\|\||&&)?=)\s*\(*(?:\/\*[^*]*\*\/\s*)?(?:__name\()?\s*$/.exec(named)
  return assigned?.[1]?.trimEnd().endsWith(last) === true ? name : ''
}

/** Before a function, in characters. */
const LONGEST = 200
