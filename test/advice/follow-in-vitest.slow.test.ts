import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { AdviceId } from '../../src/divergence/report/advice-ids.ts'
import { createVitestWorkspace, supportProject, type VitestProject, type VitestWorkspace } from '../support/vitest-workspace.ts'
import type { InVitest } from './follow.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

let workspace: VitestWorkspace
let project: VitestProject

const TEST = 'test/agent.test.ts'
const head = `import { expect, it, vi } from 'vitest'
import { replay } from 'goldenrun/vitest'
import { supportAgent } from '../src/agent.ts'
`
const body = `it('holds', async () => {
  expect(await replay('cancel-unshipped', supportAgent)).toReplayWithoutDivergence()
})
`

beforeAll(async () => {
  workspace = await createVitestWorkspace()
  project = await workspace.project(await supportProject())
  await project.write(
    'vitest.config.ts',
    "import { goldenrun } from 'goldenrun/vitest/plugin'\nimport { defineConfig } from 'vitest/config'\nexport default defineConfig({ plugins: [goldenrun({ jsonFile: 'reports.json' })], test: { reporters: ['default'], setupFiles: ['./test/setup.ts'] } })\n",
  )
})

afterAll(() => workspace[Symbol.asyncDispose]())

const hold = async (): Promise<number | null> => (await project.vitest(['run', TEST])).status

/** The advice of that name in the report of the red test. */
async function advised(id: AdviceId, test: string, setup = ''): Promise<{ readonly words: string; readonly command?: string }> {
  await project.write(TEST, test)
  await project.write('test/setup.ts', setup)
  expect(await hold()).toBe(1)
  const [report] = JSON.parse(await project.read('reports.json')) as {
    readonly advice: readonly { readonly id: AdviceId; readonly words: string; readonly command?: string }[]
  }[]
  const found = report?.advice.find((each) => each.id === id)
  if (found === undefined) throw new Error(`"${id}" is not advised: ${JSON.stringify(report)}`)
  return found
}

const cases: Readonly<Record<InVitest, () => Promise<void>>> = {
  async 'remove-mock'() {
    const mock = "vi.mock('openai', () => ({ default: class { chat = { completions: { create: async () => ({ choices: [] }) } } } }))\n"
    await advised('remove-mock', `${head}${mock}${body}`)
    await project.write(TEST, `${head}${body}`)
  },
  async 'mocked-own-module'() {
    await advised('mocked-own-module', `${head}vi.mock('../src/prompt.ts', () => ({ SYSTEM_PROMPT: 'Be brief.' }))\n${body}`)
    await project.write(TEST, `${head}${body}`)
  },
  async 'restore-functions'() {
    const setup = "import { vi } from 'vitest'\nvi.stubGlobal('fetch', vi.fn(async () => new Response('{}')))\n"
    const { words } = await advised('restore-functions', `${head}${body}`, setup)
    const [line = ''] = /vi\.unstubAllGlobals\(\)/.exec(words) ?? []
    await project.write(
      TEST,
      `import { vi } from 'vitest'\n${line}\nconst { supportAgent } = await import('../src/agent.ts')\n${head.replace(/import \{ supportAgent.*\n/, '').replace(', vi }', ' }')}${body}`,
    )
  },
  async accept() {
    await project.edit('src/prompt.ts', 'You', 'You, dear agent,')
    const { command = '' } = await advised('accept', `${head}${body}`)
    const [, args = ''] = /^npx vitest (.*)$/.exec(command) ?? []
    const words = execFileSync('sh', ['-c', `printf '%s\\0' ${args}`], { encoding: 'utf8' })
      .split('\0')
      .slice(0, -1)
    expect((await project.vitest(words)).status).toBe(0)
  },
}

it.each(Object.keys(cases) as InVitest[])('ends as it promises: %s', async (id) => {
  await cases[id]()
  expect(await hold()).toBe(0)
})
