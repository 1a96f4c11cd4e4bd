import { join } from 'node:path'
import { builtins } from '../../node/builtins.ts'
import { runOutside } from '../../run/scope.ts'
import type { FileFunction } from './file-functions.ts'
import type { FoundPath } from './find-path.ts'
import { toInput } from './open-files.ts'
import type { RunFiles } from './run-files.ts'
import { orElse } from '../../trace/or-else.ts'

type Found = FoundPath | undefined

/**
 * Records what a call takes from a recorded folder wherever the call brings it. Also records a folder with recorded paths, if the call
 * removes, moves or copies the folder or searches it.
 */
export function widen(
  files: RunFiles,
  { takes, brings, below }: FileFunction,
  [first, second]: readonly Found[],
  args: readonly unknown[],
): void {
  if (first === undefined) return
  for (const found of [first, second])
    if ((takes === true || below?.(args) !== undefined) && found !== undefined && files.contains(found.path)) files.cover(found.path)
  if (brings !== undefined && second !== undefined && files.covers(first.path)) files.cover(second.path)
}

/** Returns whether a call brings something from an unrecorded path to a recorded one. */
export function bringsIn(files: RunFiles, { brings }: FileFunction, [first, second]: readonly Found[]): boolean {
  return brings !== undefined && first !== undefined && second !== undefined && !files.covers(first.path) && files.covers(second.path)
}

/** Returns what the call brings, for the input of its step. */
export function inputOf(files: RunFiles, path: string): object {
  return runOutside(() => orElse(() => contentAt(files, path), {}))
}

function contentAt(files: RunFiles, path: string): object {
  const { fs } = builtins
  const place = files.place(path)
  const stats = fs.lstatSync(place)
  if (stats.isSymbolicLink()) return { target: files.overlay?.toAgent(fs.readlinkSync(place)) ?? fs.readlinkSync(place) }
  if (stats.isFile()) return toInput(fs.readFileSync(place), files.maxBytes)
  if (!stats.isDirectory()) return {}
  const names = files.own?.layers.names(path) ?? fs.readdirSync(path).toSorted()
  return { entries: Object.fromEntries(names.map((name) => [name, contentAt(files, join(path, name))])) }
}

/**
 * Returns where Node takes it from. In a replay, nothing is taken from the disk: what is moved or linked is first copied into the temporary tree.
 */
export function broughtFrom(files: RunFiles, { brings }: FileFunction, { path, named }: FoundPath): string {
  const { own } = files
  if (brings === 'linked') files.brought(path)
  if (own === undefined) return named
  const { layers } = own
  return runOutside(() => {
    if (brings === 'copied') return layers.placeToCopy(path)
    const place = layers.bringTree(path)
    if (brings === 'moved') layers.hide(path)
    return place
  })
}
