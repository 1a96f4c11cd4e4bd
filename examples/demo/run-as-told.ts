import type { Edit } from '../support-agent/fix.ts'
import type { Narrator } from './narrator.ts'
import type { Project } from './project.ts'

/** What a command has to come to for the story to go on. */
export interface Expected {
  /** The exit status. Default: 0. */
  readonly status?: number
  /** What its output has to say. */
  readonly shows: readonly string[]
  /** Added to its environment. */
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a command line, whose further lines are aligned under the first, and gives its output. Throws if it does not come out as told. */
export type Run = (lines: readonly string[], expected: Expected) => Promise<string>

/** Makes what runs a project's commands, and tells of them. */
export function createRun(project: Project, narrator: Narrator, always: Readonly<Record<string, string>> = {}): Run {
  return async (lines, { status: wanted = 0, shows, env }) => {
    narrator.command(lines)
    const { status, output } = await project.run(lines.join(' '), { ...always, ...env })
    const missing = shows.filter((text) => !output.includes(text))
    if (status === wanted && missing.length === 0) return output
    const problems = [
      ...(status === wanted ? [] : [`it ended with status ${String(status)} and not ${wanted}`]),
      ...missing.map((text) => `it does not say ${JSON.stringify(text)}`),
    ]
    throw new Error(`$ ${lines.join(' ')}: ${problems.join(', ')}. All that it printed:\n${output}`)
  }
}

/** Edits a file of the agent, and tells of it. */
export async function editAgent(project: Project, narrator: Narrator, edit: Edit): Promise<void> {
  const path = `src/${edit.file}`
  await project.edit(path, edit)
  narrator.edit(path, edit)
}
