import type { Boundary } from '../trace/boundary.ts'
import { agreeingParts } from './agreeing-parts.ts'
import { compareInputs } from './compare-inputs.ts'
import type { FieldDifference, NearCall } from './divergence.ts'
import { noRules, type PathRules } from './path-rules.ts'
import { printValue } from './print-value.ts'
import type { StandInRenaming } from './stand-ins.ts'

/** A call as it was made. Its input is in recorded form. */
export interface ComparedCall {
  readonly boundary: Boundary
  readonly name: string
  readonly input: unknown
}

/** A recorded call that may be similar. */
export interface Candidate extends ComparedCall {
  readonly step: number
}

const shown = 3

/** Conversations are long, and a recording may have thousands of them. Only the earliest are compared: those are due. */
const maxCompared = 100

/**
 * The recorded calls that are most similar to a call, at most three: of its boundary, those of its name first, then by the number and size
 * of differences, then the earliest first.
 */
export function nearestCalls(
  live: ComparedCall,
  candidates: readonly Candidate[],
  rules: PathRules = noRules,
  renaming?: StandInRenaming,
): NearCall[] {
  const ofBoundary = candidates.filter(({ boundary }) => boundary === live.boundary)
  const ofName = ofBoundary.filter(({ name }) => name === live.name)
  const others = ofBoundary.filter(({ name }) => name !== live.name)
  return [...rank(live, ofName, rules, renaming), ...(ofName.length < shown ? rank(live, others, rules, renaming) : [])].slice(0, shown)
}

function rank(live: ComparedCall, candidates: readonly Candidate[], rules: PathRules, renaming?: StandInRenaming): NearCall[] {
  return candidates
    .slice(0, maxCompared)
    .map(({ step, name, input }) => {
      const differences = compareInputs(live.boundary, live.name, input, live.input, rules, renaming)
      const agrees = agreeingParts(live.boundary, live.name, input, differences)
      return { near: { step, name, differences, agrees }, size: sizeOf(differences) }
    })
    .toSorted((a, b) => a.near.differences.length - b.near.differences.length || a.size - b.size || a.near.step - b.near.step)
    .slice(0, shown)
    .map(({ near }) => near)
}

/** How many characters differ. */
function sizeOf(differences: readonly FieldDifference[]): number {
  return differences.reduce((sum, { expected, received }) => sum + changedLength(textOf(expected), textOf(received)), 0)
}

function changedLength(expected: string, received: string): number {
  const shorter = Math.min(expected.length, received.length)
  let start = 0
  while (start < shorter && expected[start] === received[start]) start += 1
  let end = 0
  while (end < shorter - start && expected.at(-1 - end) === received.at(-1 - end)) end += 1
  return expected.length + received.length - 2 * (start + end)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : printValue(value)
}
