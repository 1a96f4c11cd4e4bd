import { spawnSync } from 'node:child_process'
import { exampleFile, isExampleRecorded, type Answers } from './plan.ts'
import { type Project, testCommandOf } from './project.ts'

/**
 * Runs the example test live with the project's own runner, so that its golden is recorded. What the runner prints is shown.
 *
 * @param isQuiet Whether standard output is for the command's own.
 * @returns Whether the golden is there now.
 */
export function recordExample(project: Project, { runner, agent }: Answers, isQuiet: boolean): boolean {
  if (isExampleRecorded(project, agent)) return true
  const separator = /^npm (?:test|run)/.test(testCommandOf(project, runner)) ? '-- ' : ''
  const command = `${testCommandOf(project, runner).replace(/\bnpx\b/, 'npx --no-install')} ${separator}${exampleFile(project, agent)}`
  spawnSync(command, {
    cwd: project.directory,
    env: { ...process.env, GOLDENRUN: 'record' },
    // They are scripts on Windows.
    shell: true,
    stdio: ['ignore', isQuiet ? process.stderr.fd : 'inherit', 'inherit'],
  })
  return isExampleRecorded(project, agent)
}
