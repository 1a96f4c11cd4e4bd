import type { Boundary } from '../trace/boundary.ts'
import { compareInputs } from './compare-inputs.ts'
import type { FieldDifference, NearCall } from './divergence.ts'
import { type PathRules, noRules } from './path-rules.ts'
import { printValue } from './print-value.ts'
import { commonStart } from './text-difference.ts'
import type { StandInRenaming } from './stand-ins.ts'
import { dialectNamed } from '../models/dialects.ts'
import { toPath } from '../trace/path.ts'
import type { CallRow } from '../trace/rows.ts'
import { normalInput } from './normal-input.ts'
import { isFields } from './same-value.ts'

/** A call as it was made. Its input is in recorded form. */
type ComparedCall = Pick<CallRow, 'boundary' | 'name' | 'input'>

/** A recorded call that may be similar. */
type Candidate = ComparedCall & Pick<CallRow, 'step'>

/** Returns differences from a recorded step that are not in the inputs: in whose name both are made. */
export type MoreDifferences = (step: number) => readonly FieldDifference[]

const shown = 3

/** Only this many of the earliest calls are compared, because those are due: conversations are long, and a recording may have thousands of them. */
const maxCompared = 100

/**
 * The recorded calls that are most similar to a call, at most three. Only calls of its boundary count, those of its name first, then those
 * with the fewest and smallest differences, then the earliest.
 *
 * @param more Default: none.
 */
export function nearestCalls(
  live: ComparedCall,
  candidates: readonly Candidate[],
  rules: PathRules = noRules,
  renaming?: StandInRenaming,
  more: MoreDifferences = () => [],
): NearCall[] {
  const ofBoundary = candidates.filter(({ boundary }) => boundary === live.boundary)
  const ofName = ofBoundary.filter(({ name }) => name === live.name)
  const others = ofBoundary.filter(({ name }) => name !== live.name)
  const ranked = (some: readonly Candidate[]): NearCall[] =>
    rank(live, some, (input) => compareInputs(live.boundary, live.name, input, live.input, rules, renaming), more)
  return [...ranked(ofName), ...(ofName.length < shown ? ranked(others) : [])].slice(0, shown)
}

function rank(
  live: ComparedCall,
  candidates: readonly Candidate[],
  compare: (input: unknown) => readonly FieldDifference[],
  more: MoreDifferences,
): NearCall[] {
  return candidates
    .slice(0, maxCompared)
    .map(({ step, name, input }) => {
      const differences = joined(compare(input), more(step))
      const agrees = agreeingParts(live.boundary, live.name, input, differences)
      return { near: { step, name, differences, agrees }, size: sizeOf(differences) }
    })
    .toSorted((a, b) => a.near.differences.length - b.near.differences.length || a.size - b.size || a.near.step - b.near.step)
    .slice(0, shown)
    .map(({ near }) => near)
}

/** A difference in a credential says where both come from, so it replaces the same one in the request. */
function joined(differences: readonly FieldDifference[], more: readonly FieldDifference[]): readonly FieldDifference[] {
  return more.length === 0 ? differences : [...differences.filter(({ path }) => !more.some((one) => one.path === path)), ...more]
}

/** How many characters differ. */
function sizeOf(differences: readonly FieldDifference[]): number {
  return differences.reduce((sum, { expected, received }) => sum + changedLength(textOf(expected), textOf(received)), 0)
}

function changedLength(expected: string, received: string): number {
  const start = commonStart(expected, received)
  const left = Math.min(expected.length, received.length) - start
  let end = 0
  while (end < left && expected.at(-1 - end) === received.at(-1 - end)) end += 1
  return expected.length + received.length - 2 * (start + end)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : printValue(value)
}

/** The parts that two differing inputs share: the parts of a request without a difference, or the equal arguments of a function. */
export function agreeingParts(boundary: Boundary, name: string, recorded: unknown, differences: readonly FieldDifference[]): string[] {
  const { args, query, body, ...rest } = normalInput(boundary, name, recorded)
  if (isFields(args)) {
    if (differences.some(({ path }) => path === 'args')) return []
    const paths = Object.keys(args).map((key) => toPath(['args', key], ''))
    const different = placesAround(differences)
    return paths.filter((path) => !different.has(path))
  }
  const parts = new Set<string>(Object.keys(rest))
  if (query !== undefined) parts.add('url')
  if (body !== undefined) for (const part of boundary === 'model' ? partsOfRequest(name, body) : ['body']) parts.add(part)
  if (isFields(rest.headers) && Object.keys(rest.headers).length === 0) parts.delete('headers')
  return [...parts].filter((part) => !differences.some((difference) => difference.part === part))
}

function partsOfRequest(name: string, body: unknown): string[] {
  const dialect = dialectNamed(name)
  if (dialect === undefined || !isFields(body)) return ['body']
  return Object.entries(body).flatMap(([field, value]) => {
    const paths = Array.isArray(value) && value.length > 0 ? [...value.keys()].map((index) => [field, index]) : [[field]]
    return paths.map((path) => dialect.requestPart(path, body, body))
  })
}

/** The places of the differences and everything around them: for `args.order.id`, also `args.order` and `args`. */
function placesAround(differences: readonly FieldDifference[]): ReadonlySet<string> {
  const places = new Set<string>()
  for (const { path } of differences) {
    places.add(path)
    for (const { index } of path.matchAll(/[.[]/g)) places.add(path.slice(0, index))
  }
  return places
}
