import { readdirSync } from 'node:fs'
import path from 'node:path'

/** Where package managers keep patches of packages: patch-package and pnpm, and Yarn. */
const folders = ['patches', path.join('.yarn', 'patches')]

/** Returns the patches of a project's packages, as absolute paths. */
export function patchFiles(project: string): string[] {
  return folders.flatMap((folder) => {
    const absolute = path.join(project, folder)
    return filesIn(absolute).map((name) => path.join(absolute, name))
  })
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.patch'))
  } catch {
    return []
  }
}
