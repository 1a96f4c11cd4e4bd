import type { Place } from './places.ts'

/** A place, and the number that activates its mutant. */
export interface NumberedPlace extends Place {
  readonly number: number
}

/** The key of the set in which a module records the mutants whose places are reached. */
export const REACHED = 'goldenrun.reached-mutants'

/**
 * Writes all mutants of a file into it, each at its place. `GOLDENRUN_MUTANTS` lists the numbers of the active ones, separated by commas; without it, the
 * code behaves as before.
 */
export function writeMutants(code: string, places: readonly NumberedPlace[]): string {
  const inOrder = places.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const [, hashbang = '', rest = ''] = /^(#!.*\n)?([^]*)$/.exec(code) ?? []
  return `${hashbang}${head}${writeRange(code, inOrder, hashbang.length, hashbang.length + rest.length)}`
}

/** @note In the first line, so that the lines before the first place keep their numbers. */
const head =
  '/* @ts-nocheck */ const $mutants = new Set((globalThis.process?.env?.GOLDENRUN_MUTANTS ?? "").split(",")), ' +
  `$mutant = (number) => (globalThis[Symbol.for("${REACHED}")]?.add(number), $mutants.has(number)); `

function writeRange(code: string, places: readonly NumberedPlace[], start: number, end: number): string {
  let [written, at] = ['', start]
  for (const place of places) {
    if (place.start < at || place.end > end) continue
    const inside = places.filter((other) => other !== place && other.start >= place.start && other.end <= place.end)
    written += code.slice(at, place.start)
    written += place.write(`$mutant("${place.number}")`, (range) => writeRange(code, inside, range.start, range.end))
    at = place.end
  }
  return written + code.slice(at, end)
}
