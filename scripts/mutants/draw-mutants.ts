import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRandom } from '../../test/support/random.ts'
import { findPlaces, type Place } from './places.ts'
import type { NumberedPlace } from './write-mutants.ts'

/** One mutant, in the form that is shown. */
export interface Mutant {
  readonly number: number
  readonly file: string
  readonly line: number
  readonly change: string
  /** The lines around its place, and the same lines with the mutant. */
  readonly before: string
  readonly after: string
}

export interface Drawn {
  readonly mutants: readonly Mutant[]
  readonly places: ReadonlyMap<string, readonly NumberedPlace[]>
}

/** Draws places in the sources, all equally likely, and numbers them from 1. */
export function drawMutants(count: number, seed: string, only: RegExp): Drawn {
  const files = listFiles('src/**/*.ts').filter((file) => !file.endsWith('.d.ts') && only.test(file))
  const all = files.flatMap((file) => findPlaces(readFileSync(file, 'utf8'), file).map((place) => ({ file, place })))
  const taken = new Set<string>()
  const places = new Map<string, NumberedPlace[]>()
  const mutants: Mutant[] = []
  for (const { file, place } of createRandom(seed).shuffle(all)) {
    if (mutants.length === count) break
    const range = `${file} ${place.start} ${place.end}`
    if (taken.has(range)) continue
    taken.add(range)
    const number = mutants.length + 1
    places.set(file, [...(places.get(file) ?? []), { ...place, number }])
    mutants.push({ number, file, change: place.change, ...readLines(readFileSync(file, 'utf8'), place) })
  }
  return { mutants, places }
}

/** Lists files of the repository, including uncommitted ones, but not generated ones. */
export function listFiles(...patterns: readonly string[]): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', ...patterns.map((pattern) => `:(glob)${pattern}`)]
  const listed = execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 26 })
  return [...new Set(listed.split('\0'))].filter((file) => file !== '').toSorted()
}

function readLines(code: string, { start, end, mutate }: Place): Pick<Mutant, 'line' | 'before' | 'after'> {
  const textOf = (range: { start: number; end: number }): string => code.slice(range.start, range.end)
  const first = { start: code.lastIndexOf('\n', start - 1) + 1, end: start }
  const last = { start: end, end: (code.indexOf('\n', end) + 1 || code.length + 1) - 1 }
  const linesWith = (changed: string): string => (textOf(first) + changed + textOf(last)).trim()
  return { line: code.slice(0, start).split('\n').length, before: linesWith(textOf({ start, end })), after: linesWith(mutate(textOf)) }
}
