import { globSync } from 'node:fs'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createVitestWorkspace, supportProject, type VitestProject, type VitestWorkspace } from '../support/vitest-workspace.ts'

let workspace: VitestWorkspace

beforeAll(async () => {
  workspace = await createVitestWorkspace()
  // Processes that tests start share one; a user has none.
  vi.stubEnv('NODE_COMPILE_CACHE', undefined)
}, 60_000)

afterAll(() => workspace[Symbol.asyncDispose]())

/** A project with a golden, whose own test prints what it has of Node's cache. */
async function createProject(): Promise<VitestProject> {
  return workspace.project({
    ...(await supportProject()),
    'test/own.test.ts': `import { getCompileCacheDir } from 'node:module'
import { it } from 'vitest'
it('tells', () => console.log('cache:', getCompileCacheDir(), 'flags:', process.execArgv.join(' ')))
`,
  })
}

const kept = (project: VitestProject): string[] => globSync('node_modules/.vite/vitest/*/goldenrun/*/*', { cwd: project.path }).toSorted()

it.each(['forks', 'threads'])('keeps what workers of the pool %s compile, and reads it the next time', async (pool) => {
  const project = await createProject()
  const run = async (): Promise<string> => (await project.vitest(['run', 'cancel', 'own', '--pool', pool])).output
  const first = await run()
  expect(first).toContain('Goldens  1 held (1)')
  expect(first).toMatch(/cache: <project>\/node_modules\/\.vite\/vitest\/\w+\/goldenrun/)
  const files = kept(project)
  // Vitest's own code, goldenrun's and the SDK's.
  expect(files.length).toBeGreaterThan(50)
  await run()
  expect(kept(project)).toEqual(files)
})

it('lets workers of the pool forks begin with room for what they load, unless the user has said how much', async () => {
  const project = await createProject()
  const run = async (pool: string, options = ''): Promise<string> =>
    (await project.vitest(['run', 'own', '--pool', pool], { NODE_OPTIONS: options })).output
  expect(await run('forks')).toMatch(/flags:.* --min-semi-space-size=16/)
  expect(await run('forks', '--max-semi-space-size=8')).not.toContain('--min-semi-space-size')
  expect(await run('threads')).not.toContain('--min-semi-space-size')
})

it('keeps nothing where the user has turned it off, or where coverage is measured', async () => {
  const project = await createProject()
  const { output } = await project.vitest(['run', 'own'], { NODE_DISABLE_COMPILE_CACHE: '1' })
  expect(output).toContain('cache: undefined')
  const nothing = '() => undefined'
  await project.write(
    'coverage.mjs',
    `const options = { enabled: true, reportsDirectory: 'coverage', reporter: [], include: [], exclude: [] }
export default { getProvider: () => ({ name: 'own', initialize: ${nothing}, resolveOptions: () => options, clean: ${nothing}, onAfterSuiteRun: ${nothing}, generateCoverage: ${nothing}, reportCoverage: ${nothing} }) }
`,
  )
  const custom = ['--coverage.enabled', '--coverage.provider=custom', '--coverage.customProviderModule=./coverage.mjs']
  const measured = await project.vitest(['run', 'own', ...custom])
  expect(measured.output).toContain('cache: undefined')
  expect(kept(project)).toEqual([])
})
