import type { ChangedAgent } from '../changed-agent.ts'
import { accept, answer, recordOrder, recordWithout } from './words.ts'

const team = `import OpenAI from 'openai'
const client = new OpenAI({ apiKey: 'sk-local', baseURL: MODEL + '/v1' })
const ask = async (who, content) => {
  const messages = [{ role: 'system', content: 'You are the ' + who + '.' }, { role: 'user', content }]
  return (await client.chat.completions.create({ model: 'gpt-4.1', messages })).choices[0].message.content
}
export async function agent() {
  const plan = await ask('planner', 'Plan the letter.')
  const facts = await ask('critic', 'Check these facts of the plan: ' + plan)
  const letter = await ask('writer', 'Write it to the end.')
  return letter + facts.length
}`

const planned = (from: string, to: string): readonly [string, string] => [from, to]

const agents = `import { Agent, handoff, OpenAIProvider, Runner, tool as agentTool } from '@openai/agents'
import { z } from 'zod'
const runner = new Runner({ modelProvider: new OpenAIProvider({ apiKey: 'sk-local', baseURL: MODEL + '/v1', useResponses: false }), model: 'gpt-4.1', tracingDisabled: true })
`

const graph = `import { Annotation, END, START, StateGraph } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
const model = new ChatOpenAI({ model: 'gpt-4.1', apiKey: 'sk-local', configuration: { baseURL: MODEL + '/v1' } })
const State = Annotation.Root({ text: Annotation() })
const node = (who) => async ({ text }) => {
  const { content } = await model.invoke([['system', 'You are the ' + who + '.'], ['user', text]])
  return { text: content }
}
`

/** Several agents in one program: sub-agents that a function calls, handoffs, agents that are tools, nodes of a graph. */
export const subAgents: readonly ChangedAgent[] = [
  {
    name: 'extra-call-of-a-later-agent',
    code: team,
    change: planned('  const facts', "  await ask('writer', 'Say hello first.')\n  const facts"),
    says: { 1: { headline: 'the call after step 1 diverged (unexpected call).', at: "'Say hello first.'", advice: answer } },
  },
  {
    name: 'extra-call-of-a-new-agent',
    code: team,
    change: planned('  const letter', "  await ask('checker', 'Check the names.')\n  const letter"),
    says: { 1: { headline: 'step 3 diverged (input: system prompt, messages).', at: "ask('checker'", advice: accept } },
  },
  {
    name: 'extra-call-of-an-earlier-agent',
    code: team,
    change: planned('  const letter', "  await ask('planner', 'Plan it again.')\n  const letter"),
    says: { 1: { headline: 'the call after step 2 diverged (unexpected call).', at: "'Plan it again.'", advice: answer } },
  },
  {
    name: 'same-call-of-an-agent-again',
    code: team,
    change: planned('  const facts', "  await ask('planner', 'Plan the letter.')\n  const facts"),
    says: {
      1: {
        headline: 'the call after step 1 diverged (unexpected call).',
        at: "  await ask('planner', 'Plan the letter.')",
        advice: answer,
      },
    },
  },
  {
    name: 'agents-swapped',
    code: team,
    change: planned(
      `  const facts = await ask('critic', 'Check these facts of the plan: ' + plan)
  const letter = await ask('writer', 'Write it to the end.')`,
      `  const letter = await ask('writer', 'Write it to the end.')
  const facts = await ask('critic', 'Check these facts of the plan: ' + plan)`,
    ),
    says: { 1: { headline: 'step 2 diverged (order).', at: "ask('critic'", advice: recordOrder } },
  },
  {
    name: 'agents-swapped-and-changed',
    code: team,
    change: planned(
      `  const facts = await ask('critic', 'Check these facts of the plan: ' + plan)
  const letter = await ask('writer', 'Write it to the end.')`,
      `  const letter = await ask('writer', 'Write a short letter.')
  const facts = await ask('critic', 'Check these facts of the plan: ' + plan)`,
    ),
    says: { 1: { headline: 'the call after step 1 diverged (unexpected call).', at: "'Write a short letter.'", advice: answer } },
  },
  {
    name: 'agent-left-out',
    code: team,
    change: planned("  const facts = await ask('critic', 'Check these facts of the plan: ' + plan)\n", "  const facts = ''\n"),
    says: { 1: { headline: 'step 2 diverged (missing call).', at: "ask('writer'", advice: recordWithout } },
  },
  {
    name: 'agent-asked-otherwise',
    code: team,
    change: planned("'Check these facts of the plan: ' + plan", "'Check the names of the plan: ' + plan"),
    says: { 1: { headline: 'step 2 diverged (input: messages).', at: "ask('critic'", advice: accept } },
  },
  {
    name: 'last-agent-left-out',
    code: team,
    change: planned("await ask('writer', 'Write it to the end.')", 'plan'),
    says: { 1: { headline: 'step 3 diverged (missing call).', advice: recordWithout } },
  },
  {
    name: 'parallel-agents-changed',
    code: team.replace(
      `  const facts = await ask('critic', 'Check these facts of the plan: ' + plan)
  const letter = await ask('writer', 'Write it to the end.')`,
      `  const [facts, letter] = await Promise.all([ask('critic', plan), ask('writer', 'Write it to the end.')])`,
    ),
    change: planned("'Write it to the end.'", "'Write it to its end.'"),
    says: { 1: { headline: 'step 3 diverged (input: messages).', at: 'Promise.all', advice: accept } },
  },
  {
    name: 'handoff-to-another',
    code: `${agents}const billing = new Agent({ name: 'billing', instructions: 'You know prices.' })
const orders = new Agent({ name: 'orders', instructions: 'You know orders.' })
const desk = new Agent({ name: 'desk', instructions: 'You hand over. [transfer_to_orders {}] [transfer_to_billing {}]', handoffs: [handoff(orders), handoff(billing)] })
export async function agent() {
  const { finalOutput } = await runner.run(desk, 'Where is it?')
  return finalOutput
}`,
    change: planned('You know orders.', 'You know all orders.'),
    says: { 1: { headline: 'step 2 diverged (input: system prompt).', at: 'runner.run(desk', advice: accept } },
  },
  {
    name: 'agent-as-a-tool',
    code: `${agents}const critic = new Agent({ name: 'critic', instructions: 'You check.' })
const desk = new Agent({ name: 'desk', instructions: 'You write. [check {"input":"Dear Ann"}]', tools: [critic.asTool({ toolName: 'check', toolDescription: 'Checks.' })] })
export async function agent() {
  const { finalOutput } = await runner.run(desk, 'Write to Ann.')
  return finalOutput
}`,
    change: planned("'You check.'", "'You check twice.'"),
    says: { 1: { headline: 'step 2 diverged (input: system prompt).', at: 'runner.run(desk', advice: accept } },
  },
  {
    name: 'tool-of-an-agent-calls-more',
    code: `${agents}const look = agentTool({
  name: 'look', description: 'Looks it up.', parameters: z.object({ id: z.string() }),
  execute: async ({ id }) => { const order = await get('/orders/' + id); return order.path },
})
const orders = new Agent({ name: 'orders', instructions: 'You know orders. [look {"id":"a"}]', tools: [look] })
const desk = new Agent({ name: 'desk', instructions: 'You hand over. [transfer_to_orders {}]', handoffs: [orders] })
export async function agent() {
  const { finalOutput } = await runner.run(desk, 'Where is it?')
  return finalOutput
}`,
    change: planned('return order.path', "await post('/seen', { id }); return order.path"),
    says: { 1: { headline: 'the call after step 3 diverged (unexpected call).', at: "post('/seen'", advice: answer } },
  },
  {
    name: 'nodes-swapped',
    code: `${graph}const graph = new StateGraph(State)
  .addNode('plan', node('planner')).addNode('check', node('critic')).addNode('write', node('writer'))
  .addEdge(START, 'plan').addEdge('plan', 'check').addEdge('check', 'write').addEdge('write', END)
  .compile()
export async function agent() {
  const { text } = await graph.invoke({ text: 'Tea.' })
  return text
}`,
    change: planned(
      ".addEdge('plan', 'check').addEdge('check', 'write').addEdge('write', END)",
      ".addEdge('plan', 'write').addEdge('write', 'check').addEdge('check', END)",
    ),
    // Up to the second call, it is what the program does that leaves the critic out.
    says: { 1: { headline: 'step 2 diverged (missing call).', at: 'model.invoke', advice: recordWithout } },
  },
  {
    name: 'node-left-out',
    code: `${graph}const graph = new StateGraph(State)
  .addNode('plan', node('planner')).addNode('check', node('critic')).addNode('write', node('writer'))
  .addEdge(START, 'plan').addEdge('plan', 'check').addEdge('check', 'write').addEdge('write', END)
  .compile()
export async function agent() {
  const { text } = await graph.invoke({ text: 'Tea.' })
  return text
}`,
    change: planned(
      ".addEdge('plan', 'check').addEdge('check', 'write')",
      ".addConditionalEdges('plan', () => 'write', ['check', 'write']).addEdge('check', 'write')",
    ),
    says: { 1: { headline: 'step 2 diverged (missing call).', at: 'model.invoke', advice: recordWithout } },
  },
  {
    name: 'node-once-more',
    code: `${graph}const graph = new StateGraph(State)
  .addNode('plan', node('planner')).addNode('write', node('writer'))
  .addEdge(START, 'plan').addEdge('plan', 'write').addEdge('write', END)
  .compile()
export async function agent() {
  const { text } = await graph.invoke({ text: 'Tea.' })
  return text
}`,
    change: planned(
      ".addEdge(START, 'plan').addEdge('plan', 'write').addEdge('write', END)",
      ".addNode('again', node('planner')).addEdge(START, 'plan').addEdge('plan', 'again').addEdge('again', 'write').addEdge('write', END)",
    ),
    says: { 1: { headline: 'the call after step 1 diverged (unexpected call).', at: 'model.invoke', advice: answer } },
  },
  {
    name: 'prompt-of-a-node',
    code: `${graph}const graph = new StateGraph(State)
  .addNode('plan', node('planner')).addNode('write', node('writer'))
  .addEdge(START, 'plan').addEdge('plan', 'write').addEdge('write', END)
  .compile()
export async function agent() {
  const { text } = await graph.invoke({ text: 'Tea.' })
  return text
}`,
    change: planned("node('writer')", "node('poet')"),
    says: { 1: { headline: 'step 2 diverged (input: system prompt).', at: 'model.invoke', advice: accept } },
  },
]
