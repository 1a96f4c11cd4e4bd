/**
 * Translates the path of a table to an expression for the path of a URL: `…` is any prefix, `:name` one segment, `{a,b}` one of several. A slash may
 * follow.
 */
export function toPathPattern(path: string): RegExp {
  const source = path
    .replaceAll('.', String.raw`\.`)
    .replace(/^…/, '(?:/.*)?')
    .replaceAll(/:\w+/g, '[^/]+')
    .replaceAll(/\{([^}]*)\}/g, (_, choices: string) => `(?:${choices.replaceAll(',', '|')})`)
  return new RegExp(`^${source}/?$`)
}
