import { endOfBraces } from './tokens.ts'

/** A part of a line of a script; from 0. */
export interface HelperRange {
  readonly line: number
  readonly start: number
  readonly end: number
}

/**
 * Returns the functions that a transpiler added to a script and that are not in its source: `_usingCtx` for `using`. It keeps the lines of the
 * source, so each function is on one line.
 *
 * @param source The file from which the script was made.
 */
export function helpersIn(script: string, source: string): HelperRange[] {
  return script.split('\n').flatMap((text, line) =>
    [...text.matchAll(/\bfunction\s*\*?\s*(_[\w$]+)\s*\(/g)].flatMap(({ index, 1: name = '' }) => {
      const end = isGenerated(name, source) ? endOfFunction(text, index) : undefined
      return end === undefined ? [] : [{ line, start: index, end }]
    }),
  )
}

/** Whether a transpiler created a name. */
export function isGenerated(name: string, source: string): boolean {
  return name.startsWith('_') && !source.includes(name)
}

/** Whether a minifier made a line: the line is long without spaces, or has hardly any. */
export function isMinified(line: string): boolean {
  if (line.length < SHORTEST_MINIFIED) return false
  const spaces = line.match(/\s/g)?.length ?? 0
  return spaces / line.length < FEWEST_SPACES
}

/** Hand-written lines of this length have spaces. */
const SHORTEST_MINIFIED = 150

/** As a share of the characters: prose and hand-written code have about a sixth. */
const FEWEST_SPACES = 0.08

function endOfFunction(line: string, start: number): number | undefined {
  try {
    return endOfBraces(line, start) + 1
  } catch {
    // The function continues on the next line, so it belongs to the source.
    return undefined
  }
}
