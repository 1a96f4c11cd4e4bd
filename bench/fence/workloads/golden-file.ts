import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { COUNTING } from '../count-collections.ts'
import type { Kind, Sample } from '../figures.ts'
import type { Build } from '../prepare-builds.ts'
import { runNode } from '../run-node.ts'

/** Golden files that run before the first that is measured, and the number of those that are. */
const WARM_UP = 10
const MEASURED = 40

/** What one worker has taken from its start to the start of a test file. Written by `tell-figures.mjs`. */
type Told = Readonly<Record<'bytes' | 'agentsCpu' | 'processCpu' | 'wall', number>>

/** Measures a golden file in a warm worker of Vitest: the same golden under many names, each a test file, all in one worker. */
export async function measureGoldenFile(build: Build, kind: Kind): Promise<{ readonly sample: Sample; readonly output: string }> {
  const project = path.join(build.folder, 'project')
  await writeProject(project, build.folder)
  const told = path.join(project, 'told.jsonl')
  const vitest = fileURLToPath(new URL('../../../node_modules/vitest/vitest.mjs', import.meta.url))
  const { output } = await runNode([vitest, 'run', '--no-file-parallelism', '--no-isolate'], {
    cwd: project,
    env: { TOLD_FIGURES: told, WORKER_ARGUMENTS: JSON.stringify(kind === 'bytes' ? COUNTING : []) },
  })
  const starts = (await readFile(told, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Told)
  const [first, last] = [starts[WARM_UP], starts[WARM_UP + MEASURED]]
  if (first === undefined || last === undefined) throw new Error(`Vitest ran ${starts.length} golden files in one worker:\n${output}`)
  const perFile = (figure: keyof Told): number => (last[figure] - first[figure]) / MEASURED
  const sample: Sample =
    kind === 'bytes'
      ? { agentsBytes: perFile('bytes') }
      : { agentsCpu: perFile('agentsCpu'), processCpu: perFile('processCpu'), wall: perFile('wall') }
  return { sample, output }
}

/** Writes a project anew: Vitest keeps how long each file took, and orders files by it. */
async function writeProject(project: string, folder: string): Promise<void> {
  await rm(project, { recursive: true, force: true })
  const golden = await readFile(path.join(folder, 'golden-traces/ask.jsonl'), 'utf8')
  const names = Array.from({ length: WARM_UP + MEASURED + 1 }, (_, index) => `ask-${String(index).padStart(3, '0')}`)
  const agent = fileURLToPath(new URL('../../runner/agent.ts', import.meta.url))
  const files = {
    'package.json': '{ "name": "fence", "private": true, "type": "module" }\n',
    'vitest.config.ts': VITEST_CONFIG,
    'goldenrun.config.ts': GOLDENRUN_CONFIG,
    'tell-figures.mjs': await readFile(new URL('tell-figures.mjs', import.meta.url), 'utf8'),
    'agent.ts': await readFile(agent, 'utf8'),
    ...Object.fromEntries(names.map((name) => [`golden-traces/${name}.jsonl`, golden.replaceAll('"name":"ask"', `"name":"${name}"`)])),
  }
  await mkdir(path.join(project, 'golden-traces'), { recursive: true })
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(project, file), text)
}

const VITEST_CONFIG = `import { goldenrun } from 'goldenrun/vitest/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  plugins: [goldenrun()],
  test: { setupFiles: ['tell-figures.mjs'], execArgv: JSON.parse(process.env.WORKER_ARGUMENTS) },
})
`

const GOLDENRUN_CONFIG = `import { defineConfig } from 'goldenrun/config'

export default defineConfig({ agents: { fence: './agent.ts#ask' } })
`
