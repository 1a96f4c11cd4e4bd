import { dirname, join, parse, resolve } from 'node:path'
import { builtins } from '../../node/builtins.ts'
import { runOutside } from '../../run/scope.ts'
import type { CoveredPaths } from './covered-paths.ts'

/** Where a path leads. */
export interface FoundPath {
  /** The path without links on the way to it. */
  readonly path: string
  /** As the agent wrote it, without `..`. */
  readonly named: string
  /** Links that were followed. */
  readonly links: readonly string[]
}

/** How links are looked up. */
export interface Links {
  readonly covered: CoveredPaths
  /** Where a recorded path is looked for. */
  place(path: string): string
  /** Where a path leads, if it is a link that the recorded run read and this one has not yet. */
  recorded(path: string): string | undefined
  /** A target of a link as the agent knows it. */
  toAgent(target: string): string
}

/** As many as Linux follows. */
const mostLinks = 40

/** Follows the links of a path: real ones outside what is recorded, those of the temporary tree in it. @param followsLast Whether the last name is followed, too. */
export function findPath(named: string, followsLast: boolean, links: Links): FoundPath {
  const { covered } = links
  const root = parse(named).root
  const rest = namesOf(named, root)
  const followed: string[] = []
  let [path, isLed] = [root, false]
  while (rest.length > 0) {
    const name = rest.shift()
    if (name === '..') path = dirname(path)
    if (name === '..' || name === undefined) continue
    const next = join(path, name)
    const target = rest.length === 0 && !followsLast ? undefined : targetAt(next, links)
    path = next
    if (target === undefined || followed.length >= mostLinks) continue
    followed.push(next)
    const led = resolve(dirname(next), target)
    if (covered.covers(next)) covered.add(led)
    isLed ||= covered.covers(next)
    rest.unshift(...namesOf(led, root))
    path = root
  }
  path = covered.asNamed(path)
  // A recorded link leads to what is recorded.
  if (isLed) covered.add(path)
  return { path, named: named.includes('..') ? path : resolve(named), links: followed }
}

function namesOf(path: string, root: string): string[] {
  return path
    .slice(root.length)
    .split(/[\\/]/)
    .filter((name) => name !== '' && name !== '.')
}

function targetAt(path: string, links: Links): string | undefined {
  // The folders above what is recorded are not looked at: a pattern stands for the path that it names.
  if (links.covered.contains(path)) return undefined
  return links.recorded(path) ?? runOutside(() => readTarget(links.covered.covers(path) ? links.place(path) : path, links))
}

function readTarget(place: string, links: Links): string | undefined {
  const { fs } = builtins
  try {
    return fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true ? links.toAgent(fs.readlinkSync(place)) : undefined
  } catch {
    return undefined
  }
}
