import type { Environment } from '../world/environments.ts'
import type { Place } from './places.ts'

/** An edit of one of an agent's files: replaces the only occurrence of `from` by `to`. An empty `from` creates a new file. */
export interface SourceEdit {
  readonly file: string
  readonly from: string
  readonly to: string
}

/** What a changed agent does to the world, and the expected verdict. Declared before anything runs. */
export type Expectation =
  /** `drift`: whether the contract of a tool has changed, which has to be reported with a green verdict. */
  | { readonly is: 'benign'; readonly drift: boolean }
  /** Applies to the runs that have the place; in all other runs nobody can tell. */
  | {
      readonly is: 'harmful'
      readonly cause: string
      readonly parts: readonly string[]
      readonly position: 'at' | 'after'
      readonly place: Place
    }
  /** No recording can tell. The family is one of those in `docs/verdicts.md`. */
  | { readonly is: 'undecided'; readonly family: string }

/** A change of an agent, as in a pull request. */
export interface Mutation {
  /** The kind of change, in the words of the table. */
  readonly kind: string
  readonly name: string
  readonly edits: readonly SourceEdit[]
  readonly expected: Expectation
  /** How long the world is watched after the return, in milliseconds. Default: the usual time. */
  readonly watchMs?: number
  /** Where the changed agent runs. Default: where it was recorded. */
  readonly environment?: Environment
  /** A package that it needs, one of those that the bench installs. */
  readonly takes?: string
}

/** `file`, `from`, `to`. */
export type Edit = readonly [file: string, from: string, to: string]

/** What the report has to say about a harmful change. */
export type Says = Omit<Extract<Expectation, { is: 'harmful' }>, 'is'>

/** A recorded call that changes or is missing. @param parts The parts of the input that differ. */
export function at(place: Place, cause: string, ...parts: readonly string[]): Says {
  return { cause, parts, position: 'at', place }
}

/** Something that happens after a recorded call. */
export function after(place: Place, cause: string): Says {
  return { cause, parts: [], position: 'after', place }
}

export function harmful(kind: string, name: string, says: Says, ...edits: readonly Edit[]): Mutation {
  return { kind, name, edits: edits.map(toEdit), expected: { is: 'harmful', ...says } }
}

export function benign(kind: string, name: string, ...edits: readonly Edit[]): Mutation {
  return { kind, name, edits: edits.map(toEdit), expected: { is: 'benign', drift: false } }
}

/** Nothing can be noticed from outside, so no replay may be red; but a tool's declaration changes, which has to be reported. */
export function drifting(kind: string, name: string, ...edits: readonly Edit[]): Mutation {
  return { kind, name, edits: edits.map(toEdit), expected: { is: 'benign', drift: true } }
}

export function undecided(kind: string, name: string, family: string, ...edits: readonly Edit[]): Mutation {
  return { kind, name, edits: edits.map(toEdit), expected: { is: 'undecided', family } }
}

function toEdit([file, from, to]: Edit): SourceEdit {
  return { file, from, to }
}
