import type { AskInput } from './agent.ts'

/** The golden's text, and the recorded questions and answers. */
export interface Golden {
  readonly text: string
  readonly input: AskInput
  readonly answers: readonly string[]
}

/** Writes a test file that tests nothing. */
export function emptyTest(name: string): string {
  return `import { test } from 'vitest'

test('${name}', () => undefined)
`
}

/** Writes the same with Node's own fetch loaded, as an agent's first call loads it. */
export function fetchTest(name: string): string {
  return `import { test } from 'vitest'

test('${name}', () => void Response)
`
}

/** Writes a test of the agent without any library: `fetch` answers from memory. */
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

/** Writes the same with an aimock server, following its documentation. */
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

/** Writes the config of a project, with the plugin if its tests are goldens. */
export function vitestConfig(hasGoldens: boolean): string {
  const plugin = hasGoldens ? "import { goldenrun } from 'goldenrun/vitest/plugin'\n" : ''
  return `${plugin}import { defineConfig } from 'vitest/config'

export default defineConfig({ plugins: [${hasGoldens ? 'goldenrun()' : ''}], test: { setupFiles: ['tell-cpu.mjs'] } })
`
}

export const goldenConfig = `import { defineConfig } from 'goldenrun/config'

export default defineConfig({ agents: { bench: './src/agent.ts#ask' } })
`
