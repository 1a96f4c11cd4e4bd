import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { mockedModules } from '../../src/goldens/mocked-modules.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'
import { createVitestWorkspace, supportProject, type VitestProject, type VitestWorkspace } from '../support/vitest-workspace.ts'

// What a test itself keeps from the replay is named as the test's own.

let workspace: VitestWorkspace
let project: VitestProject

beforeAll(async () => {
  workspace = await createVitestWorkspace()
  project = await workspace.project(await supportProject())
})

afterAll(() => workspace[Symbol.asyncDispose]())

const head = `import { expect, it, vi } from 'vitest'
import { replay } from 'goldenrun/vitest'
import { supportAgent } from '../src/agent.ts'
`

/** The advice of the report on the test's golden. */
async function adviceOf(setup: string, top = '', test = ''): Promise<string[]> {
  await project.write(
    'test/agent.test.ts',
    `${head}${top}\nit('holds', async () => {\n  ${test}\n  expect(await replay('cancel-unshipped', supportAgent)).toReplayWithoutDivergence()\n})\n`,
  )
  await project.write('test/setup.ts', setup)
  const setupFiles = setup === '' ? '' : ", setupFiles: ['./test/setup.ts']"
  await project.write(
    'vitest.config.ts',
    `import { goldenrun } from 'goldenrun/vitest/plugin'\nimport { defineConfig } from 'vitest/config'\nexport default defineConfig({ plugins: [goldenrun({ jsonFile: 'reports.json' })], test: { reporters: ['default']${setupFiles} } })\n`,
  )
  const { status, output } = await project.vitest(['run', 'test/agent.test.ts'])
  expect(status, output).toBe(1)
  const [report] = JSON.parse(await project.read('reports.json')) as { readonly advice: readonly { readonly words: string }[] }[]
  return report?.advice.map(({ words }) => words) ?? []
}

const ofFetch =
  'The test, its setup file or a package has replaced globalThis.fetch since goldenrun was loaded: no call reaches the replay through it. ' +
  'To restore it before the replay: vi.unstubAllGlobals(), vi.restoreAllMocks(), jest.restoreAllMocks()'

// The client of the agent takes hold of fetch when its module loads.
it.each([
  ['stubs fetch', "import { vi } from 'vitest'\nvi.stubGlobal('fetch', vi.fn(async () => new Response('{}')))\n"],
  ['spies on fetch', "import { vi } from 'vitest'\nvi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('{}'))\n"],
  ['has a polyfill of fetch', "globalThis.fetch = async () => new Response('{}')\n"],
])('names fetch where a setup file %s', async (_what, setup) => {
  expect((await adviceOf(setup))[0]).toBe(ofFetch)
})

it('names the module that a test mocks, with its line', async () => {
  const mock = "vi.mock('openai', () => ({ default: class { chat = { completions: { create: async () => ({ choices: [] }) } } } }))"
  expect((await adviceOf('', mock))[0]).toBe(
    'test/agent.test.ts:4 mocks "openai", so its calls do not reach the replay. Remove the mock: the recorded answers take its place.',
  )
})

it('names a module of the agent that a test mocks, before the usual advice', async () => {
  const advice = await adviceOf('', "vi.mock('../src/prompt.ts', () => ({ SYSTEM_PROMPT: 'Be brief.' }))")
  expect(advice[0]).toBe('test/agent.test.ts:4 mocks "../src/prompt.ts", so the agent does not run the code that was recorded.')
  expect(advice[1]).toMatch(/^To accept the new input/)
})

it('does not name a fetch that passes calls on, as a tracer does', async () => {
  const tracer = 'const { fetch } = globalThis\nglobalThis.fetch = (...args) => fetch(...args)\n'
  const advice = await adviceOf(tracer, '', "vi.spyOn(JSON, 'stringify').mockReturnValue('{}')")
  expect(advice.join('\n')).not.toContain('has replaced')
})

it('finds the mocks of Vitest and Jest in a test file', async () => {
  await using directory = await createTemporaryDirectory()
  const file = directory.resolve('a.test.ts')
  await writeFile(
    file,
    "vi.mock('a')\nvi.doMock(`b`, () => ({}))\njest.mock(\"c\")\njest.unstable_mockModule('d', () => ({}))\nvi.mock(import('e'))\nvi.unmock('f')\nmock('g')\n",
  )
  expect(mockedModules(file).map(({ module, at }) => [module, at.slice(at.lastIndexOf(':'))])).toEqual([
    ['a', ':1'],
    ['b', ':2'],
    ['c', ':3'],
    ['d', ':4'],
    ['e', ':5'],
  ])
  expect(mockedModules(directory.resolve('missing.ts'))).toEqual([])
})
