import { spawnSync } from 'node:child_process'
import { exampleFile, isExampleRecorded, type Answers } from './file-changes.ts'
import { type Project, testCommandOf } from './project.ts'

/**
 * Runs the example test live with the project's own runner, so that its golden is recorded. The runner's output is shown.
 *
 * @param isQuiet Whether to keep the runner's output off standard output.
 * @returns Whether the golden now exists.
 */
export function recordExample(project: Project, { runner, agent }: Answers, isQuiet: boolean): boolean {
  if (isExampleRecorded(project, agent)) return true
  const separator = /^npm (?:test|run)/.test(testCommandOf(project, runner)) ? '-- ' : ''
  const command = `${testCommandOf(project, runner).replace(/\bnpx\b/, 'npx --no-install')} ${separator}${exampleFile(project, agent)}`
  spawnSync(command, {
    cwd: project.directory,
    env: { ...process.env, GOLDENRUN: 'record' },
    // On Windows these commands are scripts.
    shell: true,
    stdio: ['ignore', isQuiet ? process.stderr.fd : 'inherit', 'inherit'],
  })
  return isExampleRecorded(project, agent)
}
