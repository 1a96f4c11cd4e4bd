import path from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createPackedProject, type PackedProject, type ProjectEdit, type ProjectInstallation } from './packed-project.ts'
import { withoutRunnerNoise } from './runner-output.ts'

/** A command that is run in a project, and what has to come of it. */
export interface ProjectRun {
  /** A command line. Default: `npm test`. */
  readonly command?: string
  /** The exit status that it has to end with. */
  readonly status: number
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Places of files that have another text in this run. */
  readonly edits?: readonly ProjectEdit[]
  /** The file that holds what it has to print, in the project's folder. Runs may share one. Default: `expected-output.txt`. */
  readonly expected?: string
  /** How its package manager runs a command, where what it has to print says `npx`. */
  readonly exec?: string
}

/** How a project is installed, and what is run in it. */
export interface ProjectTests extends ProjectInstallation {
  /** By the titles of their tests. Each starts from the files as they are committed. */
  readonly runs: Readonly<Record<string, ProjectRun>>
}

/**
 * Describes the tests of a project in `test/projects`: in a copy of it with the packed package, each run's output and status have to be what is
 * written down. New output is written down with `-u`; look at it.
 */
export function describeProject(name: string, { runs, ...installation }: ProjectTests): void {
  describe(`the project ${name}`, () => {
    let project: PackedProject | undefined

    beforeAll(async () => {
      project = await createPackedProject(name, inject('tarball'), installation)
    })
    afterAll(() => project?.[Symbol.asyncDispose]())

    it.each(Object.entries(runs))(
      '%s',
      async (_title, { command = 'npm test', status, env, edits = [], expected = 'expected-output.txt', exec = 'npx' }) => {
        if (project === undefined) throw new Error('It is not installed.')
        await project.restore()
        for (const edit of edits) await project.edit(edit)
        const result = await project.run(command, env)
        const output = `${withoutRunnerNoise(result.output, project.folder).replaceAll(`: ${exec} vitest`, ': npx vitest').replaceAll(`: ${exec} goldenrun`, ': npx goldenrun')}\n`
        // Nothing is to be advised that the package manager does not do.
        expect(exec === 'npx' ? '' : result.output).not.toContain('npx ')
        await expect(output).toMatchFileSnapshot(path.join(project.committed, expected))
        expect(result.status).toBe(status)
      },
    )
  })
}
