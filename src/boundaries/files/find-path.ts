import { dirname, join, parse, resolve } from 'node:path'
import { builtins } from '../../node/builtins.ts'
import { runOutside } from '../../run/scope.ts'
import type { CoveredPaths } from './covered-paths.ts'

/** Where a path leads. */
export interface FoundPath {
  /** The path with its links resolved. */
  readonly path: string
  /** The path as the agent wrote it, without `..`. */
  readonly named: string
  /** The links that were followed. */
  readonly links: readonly string[]
}

/** How links are looked up. */
export interface Links {
  readonly covered: CoveredPaths
  /** Returns where to look for a path. */
  place(path: string): string
  /** Returns the target of a link that the recorded run read and this run has not read yet. */
  recorded(path: string): string | undefined
  /** Converts a link's target to the agent's form. */
  toAgent(target: string): string
}

/** The same maximum as on Linux. */
const mostLinks = 40

/**
 * Follows the links of a path: real links outside of the recorded paths, the temporary tree's links inside.
 *
 * @param followsLast Whether the last name is followed too.
 */
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
  // The target of a recorded link is recorded.
  if (isLed) covered.add(path)
  return { path, named: named.includes('..') ? path : resolve(named), links: followed }
}

function namesOf(path: string, root: string): string[] {
  return path
    .slice(root.length)
    .split(/[\\/]/)
    .filter((name) => name !== '' && name !== '.')
}

/** The links that the kernel makes for descriptors and processes lead to no path. */
const isOfKernel = /^\/(?:dev|proc)\//

function targetAt(path: string, links: Links): string | undefined {
  // Folders above recorded paths are not inspected: a pattern stands for the path that it names.
  if (links.covered.contains(path) || isOfKernel.test(path)) return undefined
  return links.recorded(path) ?? runOutside(() => readTarget(links.place(path), links))
}

function readTarget(place: string, links: Links): string | undefined {
  const { fs } = builtins
  try {
    return fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true ? links.toAgent(fs.readlinkSync(place)) : undefined
  } catch {
    return undefined
  }
}
