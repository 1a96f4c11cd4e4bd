import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LocalServer } from '../../../examples/world/listen.ts'
import { startProvider } from '../../../examples/world/provider.ts'
import { both, turns } from '../../frameworks/orders.ts'
import { createInspectedProject, type InspectedProject, places, stepOf, variable } from './inspected-project.ts'

// Agents of two frameworks, which call the agent's functions from their own. What is expected is read off these sources.

const shelf = `
export const orders: Record<string, string> = { ord_1: 'packed', ord_2: 'shipped' }
export interface Ask { question: string; model: string }
`

const aiSdk = `
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, stepCountIs, tool } from 'ai'
import { external } from 'goldenrun'
import { z } from 'zod'
import { type Ask, orders } from './shelf.ts'

const find = external('find', async (id: string) => ({ id, status: orders[id] }))

export async function agent({ question, model }: Ask): Promise<string> {
  const seen: string[] = []
  const tools = {
    get_order: tool({
      description: 'Looks an order up.',
      inputSchema: z.object({ id: z.string() }),
      execute: async ({ id }) => {
        const position = seen.length
        const order = await find(id)
        seen.push(id + ' is ' + order.status)
        return { ...order, position }
      },
    }),
  }
  const openai = createOpenAI({ baseURL: model, apiKey: 'sk-local' })
  const prompt = question + ' Be brief.'
  const { text } = await generateText({ model: openai.chat('gpt-4.1-mini'), tools, prompt, stopWhen: stepCountIs(3) })
  return text
}
`

const langGraph = `
import { tool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { external } from 'goldenrun'
import { z } from 'zod'
import { type Ask, orders } from './shelf.ts'

const find = external('find', async (id: string) => ({ id, status: orders[id] }))

export async function agent({ question, model }: Ask): Promise<unknown> {
  const seen: string[] = []
  const getOrder = tool(
    async ({ id }: { id: string }) => {
      const position = seen.length
      const order = await find(id)
      seen.push(id + ' is ' + order.status)
      return JSON.stringify({ ...order, position })
    },
    { name: 'get_order', description: 'Looks an order up.', schema: z.object({ id: z.string() }) },
  )
  const llm = new ChatOpenAI({ model: 'gpt-4.1-mini', apiKey: 'sk-local', configuration: { baseURL: model } })
  const prompt = question + ' Be brief.'
  const { messages } = await createReactAgent({ llm, tools: [getOrder] }).invoke({ messages: [{ role: 'user', content: prompt }] })
  return messages.at(-1)?.content
}
`

let model: LocalServer & { readonly openaiBaseUrl: string }
let project: InspectedProject

beforeAll(async () => {
  model = await startProvider({ script: ({ messages }) => turns[messages.some(({ role }) => role === 'tool') ? 1 : 0] ?? { status: 400 } })
  const agents = { 'ai-sdk': './ai-sdk.ts#agent', langgraph: './langgraph.ts#agent' }
  const packages = ['@ai-sdk/openai', '@langchain/core', '@langchain/langgraph', '@langchain/openai', 'ai', 'zod']
  project = await createInspectedProject(agents, { 'shelf.ts': shelf, 'ai-sdk.ts': aiSdk, 'langgraph.ts': langGraph }, packages)
})

afterAll(async () => {
  await model[Symbol.asyncDispose]()
  await project[Symbol.asyncDispose]()
})

it.each([
  ['ai-sdk', 'await generateText('],
  ['langgraph', '.invoke('],
])('reads an agent of %s at each of its calls', async (name, asks) => {
  await project.record(name, { question: 'Where are my orders?', model: model.openaiBaseUrl })
  const run = await project.inspect(['latest'])
  expect(run.outcome).toBe('returned')
  // The model, the two orders that it asks for at once, and the model again.
  expect(run.steps.map((step) => step.name)).toEqual(['openai.chat', 'find', 'find', 'openai.chat'])
  const file = `${name}.ts`
  const asking = `agent ${file}:${await project.lineOf(file, asks)}`
  const finding = await project.lineOf(file, 'await find(id)')

  const first = stepOf(run, 1)
  expect(places(first.frames)).toContain(asking)
  expect(variable(first.frames, 'agent', 'prompt')).toBe('Where are my orders? Be brief.')
  expect(variable(first.frames, 'agent', 'seen')).toEqual([])

  // Both calls are under way at once: each has its own variables.
  const found = both.map(({ args }, index) => ({ id: (args as { id: string }).id, step: stepOf(run, index + 2) }))
  for (const { id, step } of found) {
    const [frame] = step.frames
    expect(frame).toMatchObject({ file, line: finding })
    expect(variable(step.frames, frame?.function ?? '', 'id')).toBe(id)
    expect(variable(step.frames, frame?.function ?? '', 'position')).toBe(0)
    expect(places(step.waiting)).toContain(asking)
    const order = { id, status: id === 'ord_1' ? 'packed' : 'shipped' }
    expect(variable(step.after, frame?.function ?? '', 'order')).toEqual(order)
  }
  // Where the second one continues, the first one has been noted.
  const [, second] = found
  expect(variable(second?.step.after, second?.step.after?.[0]?.function ?? '', 'seen')).toEqual(['ord_1 is packed'])
})
