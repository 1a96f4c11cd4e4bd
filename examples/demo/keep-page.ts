import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Project } from './project.ts'

/** Where the page stays when the project is gone: in the working directory, and in no commit. */
const KEPT = '.goldenrun/pages/demo-refund-twice.html'

/** Keeps the page of the double refund, which `goldenrun view` wrote. Gives its path from the working directory. */
export async function keepPage(project: Project): Promise<string> {
  const page = await project.read('.goldenrun/pages/refund-twice.html')
  await mkdir(dirname(KEPT), { recursive: true })
  await writeFile(KEPT, page)
  return KEPT
}
