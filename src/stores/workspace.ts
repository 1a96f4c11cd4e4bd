import { realpathSync, statSync } from 'node:fs'
import path from 'node:path'

/** Returns whether a file, or what a link leads to, is one of a project's own: below its repository; without one, below the project's folder. */
export function isInWorkspace(project: string, file: string): boolean {
  return isBelow(realPath(repositoryOf(project) ?? project), realPath(file))
}

/** Returns the nearest folder upwards that is a git repository. */
export function repositoryOf(folder: string): string | undefined {
  if (statSync(path.join(folder, '.git'), { throwIfNoEntry: false }) !== undefined) return folder
  const parent = path.dirname(folder)
  return parent === folder ? undefined : repositoryOf(parent)
}

function isBelow(folder: string, file: string): boolean {
  const relative = path.relative(folder, file)
  return relative !== '' && relative.split(path.sep, 1)[0] !== '..' && !path.isAbsolute(relative)
}

/** Returns the path of a file without links. What does not exist lies where its path says. */
export function realPath(file: string): string {
  try {
    return realpathSync.native(file)
  } catch {
    const parent = path.dirname(file)
    return parent === file ? file : path.join(realPath(parent), path.basename(file))
  }
}
