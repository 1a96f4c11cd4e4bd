import type { Place } from './places.ts'

/** An edit of one of an agent's files: the one place where `from` stands becomes `to`. An empty `from` stands for a new file. */
export interface SourceEdit {
  readonly file: string
  readonly from: string
  readonly to: string
}

/** What a changed agent does to the world, and what has to be said of it. Written down before anything runs. */
export type Expectation =
  /** `drift`: whether the contract of a tool has changed, which has to be said beside a green verdict. */
  | { readonly is: 'benign'; readonly drift: boolean }
  /** In the runs that have the place; in all others nobody can tell. */
  | {
      readonly is: 'harmful'
      readonly cause: string
      readonly parts: readonly string[]
      readonly position: 'at' | 'after'
      readonly place: Place
    }
  /** No recording can tell: the family as `docs/verdicts.md` names it. */
  | { readonly is: 'undecided'; readonly family: string }

/** A change of an agent, as somebody makes it in a pull request. */
export interface Mutation {
  /** What sort of change it is, in the words of the table. */
  readonly kind: string
  readonly name: string
  readonly edits: readonly SourceEdit[]
  readonly expected: Expectation
  /** For how long the world is watched after the return, in milliseconds, where that is longer than usual. */
  readonly watchMs?: number
  /** A package that it takes, of those that the bench installs. */
  readonly takes?: string
}

/** `file`, `from`, `to`. */
export type Edit = readonly [file: string, from: string, to: string]

/** Says of a harmful change what the report has to name. */
export type Says = Omit<Extract<Expectation, { is: 'harmful' }>, 'is'>

/** A recorded call that is made otherwise, or not made. @param parts Of an input: which differ. */
export function at(place: Place, cause: string, ...parts: readonly string[]): Says {
  return { cause, parts, position: 'at', place }
}

/** Something that comes after a recorded call. */
export function after(place: Place, cause: string): Says {
  return { cause, parts: [], position: 'after', place }
}

export function harmful(kind: string, name: string, says: Says, ...edits: readonly Edit[]): Mutation {
  return { kind, name, edits: edits.map(toEdit), expected: { is: 'harmful', ...says } }
}

export function benign(kind: string, name: string, ...edits: readonly Edit[]): Mutation {
  return { kind, name, edits: edits.map(toEdit), expected: { is: 'benign', drift: false } }
}

/** Nobody outside can tell, and no replay may be red; what a tool declares is another, and that is to be said. */
export function drifting(kind: string, name: string, ...edits: readonly Edit[]): Mutation {
  return { kind, name, edits: edits.map(toEdit), expected: { is: 'benign', drift: true } }
}

export function undecided(kind: string, name: string, family: string, ...edits: readonly Edit[]): Mutation {
  return { kind, name, edits: edits.map(toEdit), expected: { is: 'undecided', family } }
}

function toEdit([file, from, to]: Edit): SourceEdit {
  return { file, from, to }
}
