import { cp, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPackage, linkPackages } from '../support/build-package.ts'
import { type CommandResult, runNode } from '../support/run-command.ts'
import { type ChangedAgent, goldensOf, moduleOf } from './changed-agent.ts'
import { shopClient, startWorld } from './world.ts'

/** What a surface says about the goldens that do not hold, by their names. */
export type Verdicts = Readonly<Record<string, Verdict>>

interface Verdict {
  readonly headline: string
  readonly line: string | undefined
  /** Absent in a script, which gets a run and no report. */
  readonly advice?: string
}

/** A report, as every surface writes it to a file. */
interface JsonReport {
  readonly trace: { readonly name: string }
  readonly headline: string
  readonly divergence?: { readonly site?: { readonly file: string; readonly line: number } }
  readonly advice: readonly { readonly words: string }[]
  readonly alsoIn?: readonly string[]
}

const repository = fileURLToPath(new URL('../../', import.meta.url))
const packages = ['vitest', 'jest', '@jest/globals', 'openai', '@anthropic-ai/sdk', 'ai', '@ai-sdk/openai', '@openai/agents', 'zod']
const more = ['@langchain/core', '@langchain/langgraph', '@langchain/openai', 'undici', 'axios', 'got', 'ky', 'p-queue', 'dataloader']

/** Projects with agents, recorded before their changes, and the ways to replay their goldens. */
export interface ChangedProject extends AsyncDisposable {
  /** `replay()` in a script. */
  script(): Promise<Verdicts>
  /** The command. */
  command(...args: string[]): Promise<Verdicts>
  /** Tests of the project's own, or golden files, in Vitest or Jest. */
  tests(runner: 'vitest' | 'jest', folder: 'test' | 'golden-traces', ...args: string[]): Promise<Verdicts>
}

/** Makes a project of agents, records their runs, promotes them, and changes the agents. */
export async function createChangedProject(agents: readonly ChangedAgent[]): Promise<ChangedProject> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'goldenrun-surfaces-')))
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), text)
  }
  await cp(await buildPackage(), path.join(root, 'node_modules/goldenrun'), { recursive: true })
  await linkPackages(path.join(root, 'node_modules'), [...packages, ...more])
  await write('node_modules/shop-client/package.json', '{ "name": "shop-client", "type": "module", "exports": "./index.js" }')
  await write('node_modules/shop-client/index.js', shopClient)
  await write('package.json', '{ "name": "changed", "private": true, "type": "module" }')
  await write('goldenrun.config.mjs', configOf(agents))
  await write('vitest.config.mjs', vitestConfig)
  await write('jest.config.mjs', jestConfig)
  await write('agents.json', JSON.stringify(agents.map((agent) => ({ ...agent, inputs: agent.inputs ?? [{}], goldens: goldensOf(agent) }))))
  await write('record.mjs', recordProgram)
  await write('script.mjs', scriptProgram)
  for (const agent of agents) for (const golden of goldensOf(agent)) await writeTests(write, agent.name, golden)

  await using world = await startWorld()
  for (const agent of agents) await write(`agents/${agent.name}.js`, moduleOf(agent, false, world))
  expectDone(await runNode(root, ['record.mjs'], environment), 0)
  for (const agent of agents) await write(`agents/${agent.name}.js`, moduleOf(agent, true, world))

  const wanted = agents.flatMap(goldensOf)
  return {
    async script() {
      const { stdout } = expectDone(await runNode(root, ['script.mjs'], environment), 0)
      return JSON.parse(stdout) as Verdicts
    },
    async command(...args) {
      const cli = path.join(root, 'node_modules/goldenrun/dist/cli.js')
      const { stdout } = expectDone(await runNode(root, [cli, 'replay', '--json', ...args], environment), 1)
      const { reports, traces } = JSON.parse(stdout) as { reports: JsonReport[]; traces: { name: string; message?: string }[] }
      const messages = traces.flatMap(({ name, message }) =>
        message === undefined ? [] : [[name, { headline: message, line: undefined }] as const],
      )
      return { ...verdictsOf(reports), ...Object.fromEntries(messages) }
    },
    async tests(runner, folder, ...args) {
      const file = path.join(root, `${runner}-${folder}.json`)
      const bin = path.join(repository, 'node_modules', runner === 'vitest' ? 'vitest/vitest.mjs' : 'jest/bin/jest.js')
      const start = runner === 'vitest' ? [bin, 'run', `${folder}/`] : ['--experimental-vm-modules', '--no-warnings', bin, `${folder}/`]
      const result = await runNode(root, [...start, ...args], { ...environment, GOLDENRUN_JSON_FILE: file })
      const counted = [...`${result.stdout}${result.stderr}`.matchAll(/(?:Goldens:?\s.*)\((\d+)\)/g)].at(-1)?.[1]
      if (counted !== String(wanted.length)) throw new Error(`${runner} judged ${counted} goldens:\n${result.stdout}\n${result.stderr}`)
      return verdictsOf(JSON.parse(await readFile(file, 'utf8')) as JsonReport[])
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** The environment of a terminal, in which no test runner runs. */
const environment: Readonly<Record<string, string>> = { NO_COLOR: '1', CI: '', VITEST: '', NODE_ENV: '', GOLDENRUN: '', NODE_OPTIONS: '' }

function expectDone(result: CommandResult, status: number): CommandResult {
  if (result.status !== status) throw new Error(`Ended with ${result.status}:\n${result.stdout}\n${result.stderr}`)
  return result
}

function verdictsOf(reports: readonly JsonReport[]): Verdicts {
  const verdicts = reports.flatMap(({ trace, headline, divergence, advice, alsoIn = [] }) => {
    const site = divergence?.site
    const line = site && `${site.file}:${site.line}`
    const words = headline.replace(/^Failed to (replay|hold) ".*?": /, '').replace(/\. Changed since .*$/, '.')
    return [trace.name, ...alsoIn].map((name) => [name, { headline: words, line, advice: advice[0]?.words ?? '' }] as const)
  })
  return Object.fromEntries(verdicts)
}

async function writeTests(write: (file: string, text: string) => Promise<void>, agent: string, golden: string): Promise<void> {
  for (const [folder, entry, runner] of [
    ['test', 'goldenrun/vitest', 'vitest'],
    ['test', 'goldenrun/jest', '@jest/globals'],
  ] as const)
    await write(
      `${folder}/${golden.replace('/', '-')}.${runner === 'vitest' ? 'vitest' : 'jest'}.test.js`,
      `import { expect, it } from '${runner}'
import { replay } from '${entry}'
import { agent } from '../agents/${agent}.js'
it('holds', async () => expect(await replay('${golden}', agent)).toReplayWithoutDivergence())
`,
    )
}

const configOf = (agents: readonly ChangedAgent[]): string =>
  `export default { store: './runs', agents: ${JSON.stringify(Object.fromEntries(agents.map(({ name }) => [name, `./agents/${name}.js#agent`])))} }\n`

const vitestConfig = `import { goldenrun } from 'goldenrun/vitest/plugin'
export default { plugins: [goldenrun()], test: { include: ['test/*.vitest.test.js'] } }
`

const jestConfig = `import { withGoldens } from 'goldenrun/jest/config'
export default withGoldens({ testMatch: ['**/test/*.jest.test.js'], transform: {} })
`

const recordProgram = `import { readFileSync } from 'node:fs'
import { createRecorder } from 'goldenrun'
import { listTraces, promote, readTrace } from 'goldenrun/replay'
for (const { name, inputs, goldens, isConversation, incident } of JSON.parse(readFileSync('agents.json', 'utf8'))) {
  const store = './runs/' + name
  const { agent } = await import('./agents/' + name + '.js')
  const recorder = createRecorder({ store })
  for (const input of inputs) await recorder.run({ agent: name, input }, agent).catch(() => undefined)
  await recorder.close()
  const ids = (await listTraces({ store })).map(({ id }) => id).sort()
  if (ids.length !== goldens.length) throw new Error(name + ' has ' + ids.length + ' recordings')
  for (const [index, id] of ids.entries()) {
    const follows = isConversation && index > 0 ? { follows: goldens[index - 1] } : {}
    const expect = incident && index === ids.length - 1 ? { expect: { replay: 'departs', ...incident } } : {}
    await promote(await readTrace(id, { store }), { name: goldens[index], ...follows, ...expect })
  }
}
process.exit(0)
`

const scriptProgram = `import { readFileSync } from 'node:fs'
import { replay } from 'goldenrun/replay'
const verdicts = {}
for (const { name, goldens } of JSON.parse(readFileSync('agents.json', 'utf8')))
  for (const golden of goldens) {
    const { agent } = await import('./agents/' + name + '.js?' + golden)
    const { divergences: [first], trace } = await replay(golden, agent)
    // What a run means to an incident is decided by the matchers, which a script does not have.
    if (first === undefined || trace.header.golden.expect.replay === 'departs') continue
    const { cause, step, position, parts, name: called, boundary, site } = first
    const words = cause.replaceAll('-', ' ') + (cause === 'input' ? ': ' + parts.map((part) => part.replaceAll('-', ' ')).join(', ') : '')
    const place = step === 0 ? 'before the first step' : 'after step ' + step
    const headline = cause === 'outcome' && boundary === undefined ? 'the outcome diverged.'
      : cause === 'checkpoint' ? 'checkpoint "' + called + '" ' + place + ' diverged.'
      : (position === 'at' ? 'step ' + step : 'the call ' + place) + ' diverged (' + words + ').'
    verdicts[golden] = { headline, line: site && site.file.replace(/\\?.*/, '') + ':' + site.line }
  }
console.log(JSON.stringify(verdicts))
process.exit(0)
`
