import type { AskInput } from './agent.ts'

/** The golden's text, and what was asked and answered. */
export interface Golden {
  readonly text: string
  readonly input: AskInput
  readonly answers: readonly string[]
}

/** A test file that tests nothing. */
export function emptyTest(name: string): string {
  return `import { test } from 'vitest'

test('${name}', () => undefined)
`
}

/** The same, where Node's own fetch is loaded, as the first call of an agent's loads it. */
export function fetchTest(name: string): string {
  return `import { test } from 'vitest'

test('${name}', () => void Response)
`
}

/** A test of the agent as one writes it without any library: `fetch` answers from memory. */
export function plainTest(name: string, { input, answers }: Golden): string {
  return `import { expect, test, vi } from 'vitest'
import { ask } from '../src/agent.ts'

const input = ${JSON.stringify(input)}
const answers = ${JSON.stringify(answers)}

test('${name}', async ({ task }) => {
  let call = 0
  vi.stubGlobal('fetch', async () => {
    const message = { role: 'assistant', content: answers[call++] }
    return Response.json({ id: 'chatcmpl-1', object: 'chat.completion', model: 'gpt-4o', choices: [{ index: 0, message, finish_reason: 'stop' }] })
  })
  const started = performance.now()
  const returned = await ask(input)
  task.meta.agentMs = performance.now() - started
  expect(returned).toEqual(answers)
})
`
}

/** The same with a server of aimock, as its documentation has it. */
export function aimockTest(name: string, { input, answers }: Golden): string {
  return `import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../src/agent.ts'

const questions = ${JSON.stringify(input.questions)}
const answers = ${JSON.stringify(answers)}
const mock = new LLMock({ port: 0, strict: true })
questions.forEach((question, index) => mock.onMessage(question, { content: answers[index] }))

beforeAll(async () => void (await mock.start()))
afterAll(async () => void (await mock.stop()))

test('${name}', async () => {
  expect(await ask({ baseUrl: mock.url + '/v1', questions })).toEqual(answers)
})
`
}

/** The config of a project, with the plugin where its tests are goldens. */
export function vitestConfig(hasGoldens: boolean): string {
  const plugin = hasGoldens ? "import { goldenrun } from 'goldenrun/vitest/plugin'\n" : ''
  return `${plugin}import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [${hasGoldens ? 'goldenrun()' : ''}], test: { setupFiles: ['tell-cpu.mjs'] } })
`
}

export const goldenConfig = `import { defineConfig } from 'goldenrun/config'

export default defineConfig({ agents: { bench: './src/agent.ts#ask' } })
`
