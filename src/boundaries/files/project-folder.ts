import { processWide } from '../../node/process-wide.ts'

const project = processWide<{ path?: string }>('project-folder', () => ({}))

/** The project is the working directory of now, wherever an agent changes to later. The first call counts. */
export function keepProjectFolder(): void {
  project.path ??= process.cwd()
}

/** The folder whose files come with the code. */
export function projectFolder(): string {
  return project.path ?? process.cwd()
}
