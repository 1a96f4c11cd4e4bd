import { spawn, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { buildPackage } from '../../support/build-package.ts'
import { errorsOfWorkflow } from '../../support/github-schema.ts'
import { runCommand, type CommandResult } from '../../support/run-command.ts'
import { createTemporaryDirectory, type TemporaryDirectory } from '../../support/temporary-directory.ts'

// Processes are started, one after another.
vi.setConfig({ testTimeout: 120_000 })

const agent = 'export async function supportAgent({ ticket }) {\n  return { reply: ticket }\n}\n'

/** A project with these files. */
async function createProject(files: Readonly<Record<string, string>>): Promise<TemporaryDirectory> {
  const project = await createTemporaryDirectory()
  for (const [file, text] of Object.entries(files)) await project.write(file, text)
  return project
}

const vitestProject = {
  'package.json': '{ "name": "support", "type": "module", "devDependencies": { "goldenrun": "*", "vitest": "*" } }\n',
  'src/agent.ts': agent,
  'package-lock.json': '{}\n',
  'tsconfig.json': '{}\n',
}

const init = (project: TemporaryDirectory, ...args: readonly string[]): Promise<CommandResult> =>
  runCommand(project.path, ['init', ...args])

it('sets an empty project with Vitest up, and changes nothing the second time', async () => {
  await using project = await createProject(vitestProject)
  const input = '{ "ticket": "Where is my order?" }'
  const first = await init(project, '--yes', '--ci', 'github', '--input', input)
  expect(first).toEqual({
    status: 0,
    stderr: '',
    stdout: `created  goldenrun.config.ts
created  vitest.config.ts
created  test/support.golden.test.ts
created  .gitignore
created  .github/workflows/goldenrun.yml

Next:
  GOLDENRUN=record npx vitest run
  npx vitest run
`,
  })
  expect(await project.read('goldenrun.config.ts')).toBe(`import { defineConfig } from 'goldenrun/config'

export default defineConfig({
  agents: { support: './src/agent.ts#supportAgent' },
  assertReplays: true,
})
`)
  expect(await project.read('vitest.config.ts')).toBe(`import { goldenrun } from 'goldenrun/vitest/plugin'
import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [goldenrun()] })
`)
  expect(await project.read('test/support.golden.test.ts')).toBe(`import { expect, test } from 'vitest'
import { replay } from 'goldenrun/vitest'
import { supportAgent } from '../src/agent.js'

// The input of supportAgent when the run is recorded. Record it once, with your keys: GOLDENRUN=record npx vitest run
const input = { "ticket": "Where is my order?" }

test('support-example is the same run again', async () => {
  const run = await replay('support-example', supportAgent, { input })
  expect(run).toReplayWithoutDivergence()
  expect(run).toHaveNoRepeatedSideEffects()
})
`)
  expect(await project.read('.gitignore')).toBe('.goldenrun/\n.vitest/\n')
  const workflow = await project.read('.github/workflows/goldenrun.yml')
  expect(await errorsOfWorkflow(workflow)).toEqual([])
  const [, , documented] = /```yaml\n(# [^\n]*\n)([^]*?)```/.exec(await readFile('docs/ci.md', 'utf8')) ?? []
  expect(workflow).toBe(documented)
  await project.write('golden-traces/support-example.jsonl', '')
  expect(await init(project, '--yes', '--ci', 'github')).toEqual({
    status: 0,
    stderr: '',
    stdout: `unchanged  goldenrun.config.ts
unchanged  vitest.config.ts
unchanged  test/support.golden.test.ts
unchanged  .gitignore
unchanged  .github/workflows/goldenrun.yml

Nothing to do: goldenrun is already set up here.
`,
  })
})

it('replaces no file of the user, and says what to add where it cannot edit safely', async () => {
  const files = {
    ...vitestProject,
    'goldenrun.config.ts': "export default { agents: { triage: './src/triage.ts' } }\n",
    'vite.config.js': 'export default mergeConfig(base, {})\n',
    'test/support.golden.test.ts': '// ours\n',
    '.gitignore': 'node_modules/',
    '.github/workflows/goldenrun.yml': 'name: ours\n',
  }
  await using project = await createProject(files)
  const { status, stdout } = await init(project, '--yes', '--json', '--agent', 'src/agent.ts#supportAgent', '--ci', 'github')
  expect(JSON.parse(stdout)).toEqual({
    changes: [
      { file: 'goldenrun.config.ts', status: 'manual', lines: ["agents: { support: './src/agent.ts#supportAgent' },"] },
      {
        file: 'vite.config.js',
        status: 'manual',
        lines: ["import { goldenrun } from 'goldenrun/vitest/plugin'", 'plugins: [goldenrun()],'],
      },
      { file: 'test/support.golden.test.ts', status: 'unchanged' },
      { file: '.gitignore', status: 'edited' },
      { file: '.github/workflows/goldenrun.yml', status: 'unchanged' },
    ],
    next: ["Write the agent's input in test/support.golden.test.ts.", 'GOLDENRUN=record npx vitest run', 'npx vitest run'],
  })
  expect(status).toBe(0)
  for (const [file, text] of Object.entries(files))
    expect(await project.read(file)).toBe(file === '.gitignore' ? `${text}\n.goldenrun/\n.vitest/\n` : text)
})

it('writes JavaScript where there is no TypeScript, in modules and in CommonJS', async () => {
  const { 'tsconfig.json': _, 'src/agent.ts': source, 'package.json': manifest, ...rest } = vitestProject
  await using project = await createProject({ ...rest, 'package.json': manifest, 'src/agent.js': source })
  await using common = await createProject({
    ...rest,
    'package.json': manifest.replace('"type": "module", ', ''),
    'lib/support-agent.mjs': source,
  })
  await init(project, '--yes')
  const { stdout } = await init(common, '--yes')
  expect(stdout).toContain("\nNext:\n  Write the agent's input in test/support.golden.test.js.\n")
  const written = ({ path }: TemporaryDirectory): string[] => readdirSync(path).filter((file) => file.includes('.config.'))
  expect(written(project)).toEqual(['goldenrun.config.js', 'vitest.config.js'])
  expect(written(common)).toEqual(['goldenrun.config.mjs', 'vitest.config.mjs'])
  expect(await project.read('test/support.golden.test.js')).toContain("from '../src/agent.js'")
  expect(await common.read('test/support.golden.test.js')).toContain("from '../lib/support-agent.mjs'")
})

const jestManifest = '{ "devDependencies": { "goldenrun": "*", "jest": "*" } }\n'

it('sets Jest up in a config of its own', async () => {
  await using alone = await createProject({ 'package.json': jestManifest, 'src/agent.js': agent })
  const { stdout } = await init(alone, '--yes', '--input', '{}')
  expect(await alone.read('jest.config.js')).toBe("module.exports = { preset: 'goldenrun/jest' }\n")
  expect(await alone.read('test/support.golden.test.js')).toMatch(/^import \{ replay \} from 'goldenrun\/jest'\n/)
  expect(stdout).toContain('Next:\n  GOLDENRUN=record npx jest\n  npx jest\n')
})

it.each([
  ['{ "verbose": true }', { preset: 'goldenrun/jest', verbose: true }],
  [
    '{ "preset": "ts-jest", "testMatch": ["**/*.spec.ts"], "testEnvironment": "jsdom" }',
    {
      preset: 'ts-jest',
      testMatch: ['**/*.spec.ts', '**/golden-traces/**/*.jsonl'],
      testEnvironment: 'goldenrun/jest/environment',
      testEnvironmentOptions: { goldenrun: { testEnvironment: 'jsdom' } },
      reporters: ['default', 'goldenrun/jest/reporter'],
      transform: { '[\\\\/]golden-traces[\\\\/].*\\.jsonl$': 'goldenrun/jest/transform' },
      moduleFileExtensions: ['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'json', 'node', 'jsonl', 'accepted'],
      dependencyExtractor: 'goldenrun/jest/dependencies',
    },
  ],
])('adds goldenrun to the Jest config of a package.json: %s', async (jest, expected) => {
  const manifest = `{\n    "name": "support",\n    "jest": ${jest},\n    "devDependencies": { "jest": "*" }\n}\n`
  await using project = await createProject({ 'package.json': manifest, 'src/agent.js': agent })
  expect((await init(project, '--yes')).stdout).toContain('edited   package.json\n')
  expect(JSON.parse(await project.read('package.json'))).toEqual({ name: 'support', jest: expected, devDependencies: { jest: '*' } })
  expect(await project.read('package.json')).toContain('\n    "name"')
  expect((await init(project, '--yes')).stdout).toContain('unchanged  package.json\n')
})

const required = (rest: string): string => `const { withGoldens } = require('goldenrun/jest/config')\n\n${rest}`
const imported = (rest: string): string => `import { withGoldens } from 'goldenrun/jest/config'\n${rest}`

it.each([
  ['jest.config.js', 'module.exports = {}\n', required('module.exports = withGoldens({})\n')],
  [
    'jest.config.js',
    "/** @type {import('jest').Config} */\nmodule.exports = {\n  preset: 'ts-jest',\n};\n",
    `const { withGoldens } = require('goldenrun/jest/config');\n\n/** @type {import('jest').Config} */\nmodule.exports = withGoldens({\n  preset: 'ts-jest',\n});\n`,
  ],
  [
    'jest.config.ts',
    "import type { Config } from 'jest'\n\nexport default { preset: 'ts-jest' } satisfies Config\n",
    imported("import type { Config } from 'jest'\n\nexport default withGoldens({ preset: 'ts-jest' } satisfies Config)\n"),
  ],
  [
    'jest.config.mjs',
    'const config = { verbose: true }\nexport default config\n',
    imported('\nconst config = { verbose: true }\nexport default withGoldens(config)\n'),
  ],
  [
    'jest.config.js',
    "'use strict'\nconst next = require('next/jest')\nmodule.exports = next({ dir: './' })({ testEnvironment: 'jsdom' })\n",
    "'use strict'\nconst { withGoldens } = require('goldenrun/jest/config')\n\nconst next = require('next/jest')\nmodule.exports = withGoldens(next({ dir: './' })({ testEnvironment: 'jsdom' }))\n",
  ],
])('wraps what a Jest config in code exports: %s', async (file, text, expected) => {
  await using project = await createProject({ 'package.json': '{}', [file]: text, 'src/agent.js': agent })
  const { stdout } = await init(project, '--yes', '--runner', 'jest')
  expect(stdout).toContain(`edited   ${file}\n`)
  expect(await project.read(file)).toBe(expected)
  expect((await init(project, '--yes', '--runner', 'jest')).stdout).toContain(`unchanged  ${file}\n`)
})

// Vitest would take it for this file's own.
const environmentLine = new RegExp(String.raw`^/\*\* @${'jest'}-environment goldenrun/jest/environment \*/\n`)

it.each([
  'module.exports = {}\nmodule.exports.verbose = true\n',
  'module.exports = require("./a")\nmodule.exports = {}\n',
  'exports.verbose = true\n',
  'export { default } from "./base.js"\n',
])('leaves a Jest config that it does not read, and writes a test that needs nothing of it: %j', async (text) => {
  await using project = await createProject({ 'package.json': jestManifest, 'jest.config.js': text, 'src/agent.js': agent })
  const { stdout } = await init(project, '--yes', '--input', '{}')
  expect(await project.read('jest.config.js')).toBe(text)
  expect(await project.read('test/support.golden.test.js')).toMatch(environmentLine)
  expect(stdout).toContain('The example test runs without it.')
})

it.each([
  ['vitest', "import { prompt } from './prompt'\n", "from '../src/agent'\n"],
  ['vitest', "import { prompt } from './prompt.ts'\n", "from '../src/agent.ts'\n"],
  ['vitest', "import { prompt } from './prompt.js'\n", "from '../src/agent.js'\n"],
  ['vitest', '', "from '../src/agent.js'\n"],
  ['jest', '', "from '../src/agent'\n"],
])("names the agent's module as the project's files name theirs: %s, %j", async (runner, head, expected) => {
  await using project = await createProject({ ...vitestProject, 'src/agent.ts': `${head}${agent}` })
  await init(project, '--yes', '--runner', runner)
  expect(await project.read('test/support.golden.test.ts')).toContain(expected)
})

it.each([
  ['"jest --config jest.e2e.js"', 'npm test'],
  ['"NODE_OPTIONS=--experimental-vm-modules jest"', 'npm test'],
  ['"jest"', 'npx jest'],
  ['"jest src && eslint ."', 'npx jest'],
])('says to run the tests as the script %s does', async (script, command) => {
  const manifest = `{ "scripts": { "test": ${script} }, "devDependencies": { "goldenrun": "*", "jest": "*" } }\n`
  await using project = await createProject({ 'package.json': manifest, 'src/agent.js': agent })
  expect((await init(project, '--yes', '--input', '{}')).stdout).toContain(`Next:\n  GOLDENRUN=record ${command}\n  ${command}\n`)
})

it('records nothing while something is left to do', async () => {
  await using project = await createProject({ 'package.json': '{ "devDependencies": { "jest": "*" } }', 'src/agent.js': agent })
  const { status, stderr, stdout } = await init(project, '--yes', '--record', '--input', '{}')
  expect([status, stderr]).toEqual([2, 'Not recorded: the setup is not complete yet.\n'])
  expect(stdout).toContain('Next:\n  npm install --save-dev goldenrun\n')
})

it('writes TypeScript for an agent in TypeScript, where no compiler is configured', async () => {
  await using project = await createProject({
    'package.json': '{ "type": "module", "devDependencies": { "vitest": "*" } }',
    'src/agent.ts': agent,
  })
  await init(project, '--yes')
  const written = ['goldenrun.config.ts', 'vitest.config.ts', 'test/support.golden.test.ts']
  for (const file of written) expect(await project.read(file)).toContain('goldenrun')
})

it('requires what Jest loads as CommonJS', async () => {
  const commonJs = 'async function supportAgent({ ticket }) {\n  return { reply: ticket }\n}\n\nmodule.exports = { supportAgent }\n'
  await using project = await createProject({ 'package.json': '{ "devDependencies": { "jest": "*" } }', 'src/agent.js': commonJs })
  await init(project, '--yes')
  expect(await project.read('test/support.golden.test.js')).toMatch(
    /^const \{ replay \} = require\('goldenrun\/jest'\)\nconst \{ supportAgent \} = require\('\.\.\/src\/agent\.js'\)\n\n\/\/ The input/,
  )
  expect(await project.read('goldenrun.config.mjs')).toContain("'./src/agent.js#supportAgent'")
})

it('sets a package of a monorepo up, with a workflow at the top of the repository', async () => {
  await using repository = await createProject({
    '.git/HEAD': 'ref: refs/heads/trunk\n',
    '.gitignore': 'node_modules\n.goldenrun/\n**/.vitest\n',
    'package.json': '{ "workspaces": ["packages/*"] }',
    'pnpm-lock.yaml': '',
    'packages/support/package.json': '{ "type": "module", "devDependencies": { "vitest": "*" } }',
    'packages/support/agent.js': agent,
  })
  const directory = repository.resolve('packages/support')
  const { stdout } = await runCommand(directory, ['init', '--yes', '--ci', 'github'])
  expect(stdout).toContain('unchanged  .gitignore\n')
  expect(stdout).toContain('\nNext:\n  pnpm add --save-dev goldenrun\n')
  const workflow = await repository.read('.github/workflows/goldenrun.yml')
  expect(workflow).toContain('    branches: [trunk]\n')
  expect(workflow).toContain('      - uses: pnpm/action-setup@v4\n')
  expect(workflow).toContain('      - run: pnpm install --frozen-lockfile\n')
  expect(workflow).toContain(
    '      - uses: ./node_modules/goldenrun\n        with:\n          command: pnpm exec vitest run\n          working-directory: packages/support\n',
  )
  expect(await errorsOfWorkflow(workflow)).toEqual([])
})

it.each([
  [
    ['--yes'],
    {},
    'Cannot tell which test runner to use: neither Vitest nor Jest is among the dependencies. Pass --runner vitest or --runner jest',
  ],
  [['--yes', '--runner', 'vitest'], {}, 'Found no exported function named like an agent. Pass it: --agent ./src/agent.ts#supportAgent'],
  [
    ['--yes', '--runner', 'vitest'],
    { 'src/a.ts': 'export const triageAgent = async () => 1\n', 'src/b.ts': 'export function supportAgent() {}\n' },
    'Found several agents: ./src/a.ts#triageAgent, ./src/b.ts#supportAgent. Pass one: --agent ./src/a.ts#triageAgent',
  ],
  [
    ['--yes', '--runner', 'vitest', '--agent', 'src/agent.ts#other'],
    { 'src/agent.ts': agent },
    './src/agent.ts exports no "other": it exports supportAgent.',
  ],
  [
    ['--yes', '--runner', 'vitest', '--agent', 'src/none.ts'],
    {},
    "The agent's file ./src/none.ts does not exist. Name it relative to package.json: --agent ./src/agent.ts#supportAgent",
  ],
  [
    [],
    {},
    'Nothing was set up: there is no terminal to prompt in. To set up without prompts: --yes, with --runner, --agent, --input and --ci',
  ],
])('cannot go on with %j and %j, and says which option to give', async (args, files, message) => {
  await using project = await createProject(files)
  expect(await init(project, ...args)).toEqual({ status: 2, stdout: '', stderr: `${message}\n` })
  expect(readdirSync(project.path)).toEqual(['package.json', ...new Set(Object.keys(files).map(() => 'src'))])
})

// A terminal is made by util-linux; the options of others are different.
const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0
if (!hasTerminal) console.warn('Not tested: questions at a terminal, since there is no `script` of util-linux to make one.')

it.runIf(hasTerminal)('asks what it cannot find, and writes nothing when the person leaves', async () => {
  await using project = await createProject({
    'package.json': '{ "type": "module" }',
    'agents.js': `${agent}export const triageAgent = () => 1\n`,
  })
  const left = await talk(project, [
    ['Which test runner?', '\r'],
    ['Which function is the agent?', '\u0003'],
  ])
  expect(left).toContain('Nothing was written.')
  expect(readdirSync(project.path)).toEqual(['agents.js', 'package.json'])
  const output = await talk(project, [
    ['Which test runner?', '\r'],
    ['Which function is the agent?', '\u001B[B\r'],
    ["What is the agent's input", '{"id":1}\r'],
    ['Replay the golden traces in CI?', '\u001B[B\r'],
    ['Write this?', '\r'],
  ])
  expect(output).toContain('created  goldenrun.config.js')
  expect(await project.read('goldenrun.config.js')).toContain("triage: './agents.js#triageAgent'")
  expect(await project.read('test/triage.golden.test.js')).toContain('const input = {"id":1}\n')
  expect(readdirSync(project.path)).not.toContain('.github')
})

/** Answers the questions of `goldenrun init` at a terminal, each when it is asked, and gives all that was printed. */
async function talk({ path }: TemporaryDirectory, answers: readonly (readonly [question: string, keys: string])[]): Promise<string> {
  const main = `${await buildPackage()}/dist/cli.js`
  const command = `stty cols 100 rows 40; "${process.execPath}" "${main}" init`
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { cwd: path })
  const left = [...answers]
  let output = ''
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', () => resolve(output))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const [next] = left
      if (next === undefined || !output.slice(output.lastIndexOf('◆')).includes(next[0])) return
      left.shift()
      // A question takes keys a turn after it is drawn.
      setTimeout(() => child.stdin.write(next[1]), 50)
    })
  })
}
