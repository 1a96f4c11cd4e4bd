import path from 'node:path'
import type { PackageManager } from '../../stores/package-manager.ts'
import { type FoundAgent, referenceTo } from './find-agents.ts'
import { importedAs, type ImportStyle } from './import-style.ts'
import { type Project, type Runner, testCommandOf } from './project.ts'

/** Returns a `goldenrun.config.ts`. */
export function createConfig(agent: FoundAgent): string {
  return `import { defineConfig } from 'goldenrun/config'

export default defineConfig({
  agents: { ${keyOf(agent.name)}: ${quote(referenceTo(agent))} },
  assertReplays: true,
})
`
}

/** Returns the line of a config that locates an agent. */
export function agentLine(agent: FoundAgent): string {
  return `agents: { ${keyOf(agent.name)}: ${quote(referenceTo(agent))} },`
}

/** Returns the name of the example test's golden. */
export function exampleName({ name }: FoundAgent): string {
  return `${name.replaceAll(/[^\w-]+/g, '-').toLowerCase()}-example`
}

/** The options of the example test. */
export interface ExampleOptions {
  readonly agent: FoundAgent
  readonly runner: Runner
  /** The command that runs the tests: `npx vitest run`. */
  readonly command: string
  /** The folder of the test's file, relative to the project. */
  readonly folder: string
  /** The agent's input as JSON; undefined if not given. */
  readonly input: string | undefined
  /** How the project's files import each other. */
  readonly style: ImportStyle
  /** Whether the test sets its environment in a comment, because Jest's config could not be edited. */
  readonly saysEnvironment: boolean
  /** Whether it is TypeScript without declarations of the runner's globals. */
  readonly importsGlobals: boolean
}

/** Returns an example test. Its first run records its golden. */
export function createExample(options: ExampleOptions): string {
  const { agent, command, input, saysEnvironment } = options
  const golden = exampleName(agent)
  const imported = agent.exported === 'default' ? 'agent' : agent.exported
  return `${saysEnvironment ? '/** @jest-environment goldenrun/jest/environment */\n' : ''}${importLines(options, imported).join('\n')}

// The input of ${imported} when the run is recorded. Record it once, with your keys: GOLDENRUN=record ${command}
const input = ${input ?? '{}'}

test('${golden} is the same run again', async () => {
  const run = await replay('${golden}', ${imported}, { input })
  expect(run).toReplayWithoutDivergence()
  expect(run).toHaveNoRepeatedSideEffects()
})
`
}

function importLines({ agent, runner, folder, style, importsGlobals }: ExampleOptions, imported: string): string[] {
  const file = importedAs(path.posix.relative(folder, path.posix.normalize(agent.module)), style)
  const agentModule = quote(file.startsWith('.') ? file : `./${file}`)
  const names = agent.exported === 'default' ? imported : `{ ${imported} }`
  // Vitest can load ES modules in any project. With Jest, this depends on the project's files.
  if (runner === 'jest' && agent.isCommonJs)
    return [`const { replay } = require('goldenrun/jest')`, `const ${names} = require(${agentModule})`]
  const globals = importsGlobals ? [`import { expect, test } from '${runner === 'vitest' ? 'vitest' : '@jest/globals'}'`] : []
  return [...globals, `import { replay } from 'goldenrun/${runner}'`, `import ${names} from ${agentModule}`]
}

/** The options of a workflow. */
export interface WorkflowOptions {
  readonly project: Project
  readonly runner: Runner
  /** The installed package, relative to the root of the repository; undefined if packages are not in folders. */
  readonly action: string | undefined
  readonly branch: string
}

/** Returns a GitHub workflow that replays the goldens on every pull request. */
export function createWorkflow({ project, runner, action, branch }: WorkflowOptions): string {
  const { packageManager, isLocked } = project
  const folder = path.relative(project.repository, project.directory).replaceAll(path.sep, '/')
  const command = testCommandOf(project, runner)
  const install = installs[packageManager][isLocked ? 'locked' : 'free']
  const held = [
    `      - uses: ./${action ?? ''}`,
    '        with:',
    `          command: ${command}`,
    ...(folder === '' ? [] : [`          working-directory: ${folder}`]),
  ]
  const bare = [
    `      - run: ${command}`,
    ...(folder === '' ? [] : [`        working-directory: ${folder}`]),
    '        env:',
    '          GOLDENRUN_MARKDOWN_FILE: ${{ github.workspace }}/goldenrun.md',
  ]
  return `name: goldenrun

on:
  push:
    branches: [${branch}]
  pull_request:

permissions:
  contents: read

jobs:
  golden-traces:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v4
${setups[packageManager] ?? ''}      - uses: actions/setup-node@v4
        with:
          node-version: 24
${isLocked && packageManager !== 'bun' ? `          cache: ${packageManager}\n` : ''}      - run: ${install}
      # Replays the golden traces without network access, and writes failures to goldenrun.md.
${(action === undefined ? bare : held).join('\n')}
      - uses: actions/upload-artifact@v4
        if: \${{ !cancelled() }}
        with:
          name: goldenrun
          path: goldenrun.md
          if-no-files-found: ignore

  # Asks live models whether fixes hold. Pull requests from forks get no secrets, so there it is skipped.
  # verify:
  #   runs-on: ubuntu-latest
  #   timeout-minutes: 15
  #   steps:
  #     - uses: actions/checkout@v4
  #     - uses: actions/setup-node@v4
  #       with:
  #         node-version: 24
  #     - run: ${install}
  #     - run: npx goldenrun verify <golden> --budget 100calls
  #       env:
  #         OPENAI_API_KEY: \${{ secrets.OPENAI_API_KEY }}
`
}

const setups: Readonly<Partial<Record<PackageManager, string>>> = {
  pnpm: '      - uses: pnpm/action-setup@v4\n',
  bun: '      - uses: oven-sh/setup-bun@v2\n',
}

const installs = {
  npm: { locked: 'npm ci', free: 'npm install' },
  pnpm: { locked: 'pnpm install --frozen-lockfile', free: 'pnpm install' },
  bun: { locked: 'bun install --frozen-lockfile', free: 'bun install' },
  yarn: { locked: 'corepack enable && yarn install --immutable', free: 'corepack enable && yarn install' },
} as const

function keyOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name)
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`\'`)}'`
}
