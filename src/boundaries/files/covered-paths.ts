import { basename, dirname, join, parse, relative } from 'node:path'
import { builtins } from '../../node/builtins.ts'
import { runOutside } from '../../run/scope.ts'
import { isWithin, patternOf, type PathPattern, toPathPattern } from './file-patterns.ts'
import { projectFolder } from './project-folder.ts'

/** Which paths of a run are recorded: those of the patterns, and those that recorded links lead to. */
export class CoveredPaths {
  readonly #patterns: PathPattern[]
  readonly #project = projectFolder()
  /** Beginnings of patterns that lie behind links, with where they really are. */
  readonly #real: readonly (readonly [beginning: string, real: string])[]

  constructor(record: readonly string[]) {
    this.#patterns = record.map(toPathPattern)
    const beginnings = [...new Set(this.#patterns.map(({ beginning }) => beginning))]
    this.#real = beginnings
      .map((beginning) => [beginning, join(realPath(dirname(beginning)), basename(beginning))] as const)
      .filter(([beginning, real]) => beginning !== real)
  }

  /** What lies in the project comes with the code, unless a pattern names a folder in it. */
  readonly covers = (path: string): boolean => {
    const isOfProject = isWithin(this.#project, path)
    return this.#patterns.some((pattern) => pattern.matches(path) && !(isOfProject && holds(pattern, this.#project)))
  }

  /** Whether a folder that is not recorded may hold paths that are. */
  contains(folder: string): boolean {
    return !this.covers(folder) && this.#patterns.some((pattern) => pattern.mayLieIn(folder))
  }

  /** From now on, a path and what is below it are recorded. */
  add(path: string): void {
    if (!this.covers(path)) this.#patterns.push(patternOf(path))
  }

  /** The same path with the beginning that the patterns have. */
  asNamed(path: string): string {
    const found = this.#real.find(([, real]) => isWithin(real, path))
    return found === undefined || this.covers(path) ? path : join(found[0], relative(found[1], path))
  }
}

/** Whether a pattern is about the folder that holds the project, or the project itself. The root of the disk is no project. */
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
