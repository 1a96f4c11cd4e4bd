import { processWide } from '../../node/process-wide.ts'

const project = processWide<{ path?: string }>('project-folder', () => ({}))

/** Makes the current working directory the project, wherever an agent changes to later. The first call counts. */
export function keepProjectFolder(): void {
  project.path ??= process.cwd()
}

/** Returns the folder whose files come with the code. */
export function projectFolder(): string {
  return project.path ?? process.cwd()
}
