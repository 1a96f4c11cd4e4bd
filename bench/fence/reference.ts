import { readFile, writeFile } from 'node:fs/promises'
import type { Figure } from './figures.ts'

/** The highest ratio to the reference that is allowed: of bytes, or of CPU time in a short and in a long run. */
export type Allowed = number | { readonly short: number; readonly long: number }

/** `bench/reference.json`: the build that every change is held against. */
export interface Reference {
  /** The whole hash. */
  readonly commit: string
  /** By workload and figure. A figure without a limit is only printed. */
  readonly allowed: Readonly<Record<string, Readonly<Partial<Record<Figure, Allowed>>>>>
  /** Every reference, the first one first. */
  readonly history: readonly Move[]
}

/** A commit that became the reference. */
export interface Move {
  readonly commit: string
  readonly date: string
  readonly reason: string
  /** The ratios to the reference before it, by workload and figure. Absent for the first. */
  readonly ratios?: Readonly<Record<string, Readonly<Partial<Record<Figure, number>>>>>
}

const file = new URL('../reference.json', import.meta.url)

/** Reads `bench/reference.json`. */
export async function readReference(): Promise<Reference> {
  return JSON.parse(await readFile(file, 'utf8')) as Reference
}

/** Makes a commit the reference, and keeps what it was measured at against the one before. */
export async function moveReference(reference: Reference, move: Move): Promise<void> {
  const moved: Reference = { ...reference, commit: move.commit, history: [...reference.history, move] }
  await writeFile(file, `${JSON.stringify(moved, undefined, 2)}\n`)
}
