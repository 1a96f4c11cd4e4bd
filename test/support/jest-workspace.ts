import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { buildPackage, linkPackages } from './build-package.ts'
import { type CommandResult, runNode } from './run-command.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))

/** Projects of users of the built package who test with Jest, in plain JavaScript, with one `node_modules` for all. */
export interface JestWorkspace extends AsyncDisposable {
  /** Makes a project of these files, by their paths, and runs Jest in it, test files one after another in the order of their names. */
  jest(files: Readonly<Record<string, string>>, options?: JestRun): Promise<JestResult>
}

/** How Jest is run. */
export interface JestRun {
  /** For Node, before Jest's file. */
  readonly node?: readonly string[]
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Whether what the config transforms is transformed. Default: no file is. */
  readonly withTransforms?: boolean
}

/** What came of a run. */
export interface JestResult extends CommandResult {
  /** Where the project lies. */
  readonly folder: string
}

/** Packages that the projects' tests use. */
const forTests = ['jest', '@jest/test-sequencer', '@opentelemetry/api', '@opentelemetry/sdk-trace-node', 'openai', 'undici']

const sequencer = `const Sequencer = require('@jest/test-sequencer').default
module.exports = class extends Sequencer {
  sort(tests) {
    return [...tests].sort((a, b) => (a.path < b.path ? -1 : 1))
  }
}
`

/** Installs the built package in a new workspace; what tests need is linked to what is installed here. */
export async function createJestWorkspace(): Promise<JestWorkspace> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'goldenrun-jest-')))
  const modules = path.join(root, 'node_modules')
  const own = path.join(modules, 'goldenrun')
  await cp(await buildPackage(), own, { recursive: true })
  await linkPackages(modules, forTests)
  let projects = 0
  return {
    async jest(files, { node = [], args = [], env = {}, withTransforms = false } = {}) {
      projects += 1
      const folder = path.join(root, `project-${projects}`)
      const all = { 'package.json': '{ "name": "project", "private": true }\n', 'sequencer.cjs': sequencer, ...files }
      for (const [file, text] of Object.entries(all)) {
        await mkdir(path.dirname(path.join(folder, file)), { recursive: true })
        await writeFile(path.join(folder, file), text)
      }
      const jest = path.join(repository, 'node_modules/jest/bin/jest.js')
      const command = [
        ...node,
        jest,
        '--runInBand',
        '--testSequencer',
        './sequencer.cjs',
        ...(withTransforms ? [] : ['--transform', '{}']),
        ...args,
      ]
      return { folder, ...(await runNode(folder, command, { NO_COLOR: '1', CI: '', ...env })) }
    },
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  }
}

/** Expects so many tests to have passed, and no others to be there. */
export function expectPassed({ status, stderr }: JestResult, tests: number): void {
  expect(stderr).toContain(`Tests:       ${tests} passed, ${tests} total`)
  expect(status).toBe(0)
}
