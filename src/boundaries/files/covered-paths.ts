import { basename, dirname, join, parse, relative } from 'node:path'
import { builtins } from '../../node/builtins.ts'
import { runOutside } from '../../run/scope.ts'
import { isWithin, patternOf, type PathPattern, toPathPattern } from './file-patterns.ts'
import { projectFolder } from './project-folder.ts'

/** The recorded paths of a run: those that match the patterns, and the targets of recorded links. */
export class CoveredPaths {
  readonly #patterns: PathPattern[]
  readonly #project = projectFolder()
  /** Beginnings of patterns whose real path differs because of links, with that real path. */
  readonly #real: readonly (readonly [beginning: string, real: string])[]

  constructor(record: readonly string[]) {
    this.#patterns = record.map(toPathPattern)
    const beginnings = [...new Set(this.#patterns.map(({ beginning }) => beginning))]
    this.#real = beginnings
      .map((beginning) => [beginning, join(realPath(dirname(beginning)), basename(beginning))] as const)
      .filter(([beginning, real]) => beginning !== real)
  }

  /** Returns whether a path is recorded. Files in the project come with the code, unless a pattern names a folder in it. */
  readonly covers = (path: string): boolean => {
    const isOfProject = isWithin(this.#project, path)
    return this.#patterns.some((pattern) => pattern.matches(path) && !(isOfProject && holds(pattern, this.#project)))
  }

  /** Returns whether a folder that is not recorded may contain recorded paths. */
  contains(folder: string): boolean {
    return !this.covers(folder) && this.#patterns.some((pattern) => pattern.mayLieIn(folder))
  }

  /** Records a path and everything below it from now on. */
  add(path: string): void {
    if (!this.covers(path)) this.#patterns.push(patternOf(path))
  }

  /** Returns the path with the beginning that the patterns have. */
  asNamed(path: string): string {
    const found = this.#real.find(([, real]) => isWithin(real, path))
    return found === undefined || this.covers(path) ? path : join(found[0], relative(found[1], path))
  }
}

/** Returns whether a pattern's beginning is the project or a folder that contains it. The root of the disk is not a project. */
export function holds({ beginning }: PathPattern, project: string): boolean {
  return project !== parse(project).root && isWithin(beginning, project)
}

function realPath(folder: string): string {
  try {
    return runOutside(() => builtins.fs.realpathSync(folder))
  } catch {
    return dirname(folder) === folder ? folder : join(realPath(dirname(folder)), basename(folder))
  }
}
