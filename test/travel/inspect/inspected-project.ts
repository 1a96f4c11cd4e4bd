import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { InspectedFrame, InspectedRun, InspectedStep } from '../../../src/travel/inspect/inspected-run.ts'
import type { Json } from '../../../src/trace/json.ts'
import { buildPackage, linkPackages } from '../../support/build-package.ts'
import { runNode, spawnCommand, type CommandResult } from '../../support/run-command.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts'
import { symlink } from 'node:fs/promises'

const repository = fileURLToPath(new URL('../../../', import.meta.url))

/** A user's project with the built package: what `goldenrun inspect` and `debug` are run in. */
export interface InspectedProject extends TemporaryDirectory {
  /** Records a run of an agent of the project. @param input Its input, as JSON. */
  record(agent: string, input: unknown, env?: Readonly<Record<string, string>>): Promise<void>
  /** Runs `goldenrun inspect --json`, which has to succeed. */
  inspect(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<InspectedRun>
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<CommandResult>
  /** Runs a program of the project, which has to succeed. */
  runNode(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<CommandResult>
  /** The number of the line of a file that contains a text, of which there has to be one. */
  lineOf(file: string, text: string): Promise<number>
}

/**
 * Makes a project of these files.
 *
 * @param agents By their names, where they are: `./agent.ts#agent`.
 */
export async function createInspectedProject(
  agents: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
  packages: readonly string[] = [],
): Promise<InspectedProject> {
  const project = await createTemporaryDirectory()
  const modules = project.resolve('node_modules')
  await project.write('package.json', '{ "name": "project", "type": "module" }\n')
  await project.write('goldenrun.config.ts', `export default ${JSON.stringify({ agents })}\n`)
  for (const [file, text] of Object.entries(files)) await project.write(file, text)
  await linkPackages(modules, [...packages, 'msw'])
  await symlink(await buildPackage(), path.join(modules, 'goldenrun'), 'junction')
  const run = (args: readonly string[], env?: Readonly<Record<string, string>>): Promise<CommandResult> =>
    spawnCommand(project.path, args, env)
  const runProgram = async (args: readonly string[], env?: Readonly<Record<string, string>>): Promise<CommandResult> => {
    const result = await runNode(project.path, args, env)
    if (result.status !== 0) throw new Error(`The program failed: ${result.stderr}`)
    return result
  }
  return {
    ...project,
    run,
    async record(name, input, env) {
      const [module = '', exported = ''] = (agents[name] ?? '').split('#')
      const program = `
import { createRecorder } from 'goldenrun'
import { ${exported} as agent } from ${JSON.stringify(module)}
const recorder = createRecorder({ store: '.goldenrun/runs', thread: false })
await recorder.run({ agent: ${JSON.stringify(name)}, input: ${JSON.stringify(input)} }, agent).catch(() => undefined)
await recorder.close()
process.exit(0)
`
      await runProgram([await project.write('record.ts', program)], env)
    },
    runNode: runProgram,
    async inspect(args, env) {
      const { status, stdout, stderr } = await run(['inspect', ...args, '--json'], env)
      if (status !== 0 || stderr !== '') throw new Error(`The run was not inspected: ${status} ${stderr}`)
      return JSON.parse(stdout) as InspectedRun
    },
    async lineOf(file, text) {
      const lines = (await project.read(file)).split('\n')
      const found = lines.flatMap((line, index) => (line.includes(text) ? [index + 1] : []))
      if (found.length !== 1) throw new Error(`${text} is in ${found.length} lines of ${file}`)
      return found[0] ?? 0
    },
  }
}

/** A file of this repository. */
export function readSource(file: string): Promise<string> {
  return readFile(path.join(repository, file), 'utf8')
}

/** A step of an inspected run. */
export function stepOf({ steps }: InspectedRun, number: number): InspectedStep {
  const step = steps.find((each) => each.step === number)
  if (step === undefined) throw new Error(`there is no step ${number}`)
  return step
}

/** A variable of a function's frame, of whichever scope. */
export function variable(frames: readonly InspectedFrame[] | undefined, called: string, name: string): Json | undefined {
  const frame = frames?.find((each) => each.function === called)
  return frame?.scopes.find(({ variables }) => Object.hasOwn(variables, name))?.variables[name]
}

/** The functions of frames, and their lines. */
export function places(frames: readonly Pick<InspectedFrame, 'function' | 'file' | 'line'>[] | undefined): string[] {
  return (frames ?? []).map(({ function: name, file, line }) => `${name} ${file}:${line}`)
}
