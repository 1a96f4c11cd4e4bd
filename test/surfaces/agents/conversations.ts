import type { ChangedAgent } from '../changed-agent.ts'
import { accept, answer, recordWithout } from './words.ts'

const turns = [{ text: 'one' }, { text: 'two' }, { text: 'three' }]

/** Agents that keep something from one run of a conversation to the next. */
export const conversations: readonly ChangedAgent[] = [
  {
    name: 'forgets-in-the-second',
    code: `const history = []
export async function agent({ text }) {
  const { path } = await post('/talk', { history, text })
  history.push(text, path)
  return path
}`,
    change: ['{ history, text }', '{ history: history.slice(-1), text }'],
    inputs: turns.slice(0, 2),
    isConversation: true,
    says: { 2: { headline: 'step 1 diverged (input: body).', at: "post('/talk'", advice: accept } },
  },
  {
    name: 'forgets-in-the-third',
    code: `import OpenAI from 'openai'
const client = new OpenAI({ apiKey: 'sk-local', baseURL: MODEL + '/v1' })
const messages = []
export async function agent({ text }) {
  messages.push({ role: 'user', content: text })
  const { choices } = await client.chat.completions.create({ model: 'gpt-4.1', messages })
  messages.push({ role: 'assistant', content: choices[0].message.content })
  return choices[0].message.content
}`,
    change: ["'gpt-4.1', messages }", "'gpt-4.1', messages: messages.slice(-4) }"],
    inputs: turns,
    isConversation: true,
    says: { 3: { headline: 'step 1 diverged (input: messages).', at: 'const { choices }', advice: accept } },
  },
  {
    name: 'skips-in-the-second',
    code: `const seen = new Set()
export async function agent({ text }) {
  const isNew = !seen.has('x')
  seen.add(text)
  if (isNew) await post('/greet', { text })
  return await post('/talk', { text })
}`,
    change: ["seen.has('x')", "seen.has('one')"],
    inputs: turns.slice(0, 2),
    isConversation: true,
    says: { 2: { headline: 'step 1 diverged (missing call).', at: "post('/talk'", advice: recordWithout } },
  },
  {
    name: 'asks-again-in-the-second',
    code: `let profile
export async function agent({ text }) {
  profile ??= await get('/profile')
  return await post('/talk', { text, profile: profile.path })
}`,
    change: ['profile ??=', 'profile ='],
    inputs: turns.slice(0, 2),
    isConversation: true,
    says: { 2: { headline: 'the call before the first step diverged (unexpected call).', at: "get('/profile')", advice: answer } },
  },
  {
    name: 'resumes-with-less',
    code: `const paused = new Map()
const pay = external('pay', async (refund) => refund.amount)
export async function agent({ text, approved }) {
  if (approved === undefined) {
    const order = await get('/orders/a')
    paused.set(text, { order: order.path, amount: 40 })
    return { paused: text }
  }
  return await pay(paused.get(text))
}`,
    change: ['amount: 40', 'amount: 4'],
    inputs: [{ text: 'refund' }, { text: 'refund', approved: true }],
    isConversation: true,
    says: { 2: { headline: 'step 1 diverged (input: args).', at: 'return await pay', advice: accept } },
  },
  {
    name: 'graph-with-a-checkpointer',
    code: `import { Annotation, Command, END, interrupt, MemorySaver, START, StateGraph } from '@langchain/langgraph'
const State = Annotation.Root({ text: Annotation(), draft: Annotation() })
const graph = new StateGraph(State)
  .addNode('write', async ({ text }) => ({ draft: (await post('/drafts', { text })).path }))
  .addNode('send', async ({ draft, text }) => { interrupt('ok?'); await post('/letters', { draft, text }); return {} })
  .addEdge(START, 'write').addEdge('write', 'send').addEdge('send', END)
  .compile({ checkpointer: new MemorySaver() })
const config = { configurable: { thread_id: 'a' } }
export async function agent({ text, approved }) {
  await graph.invoke(approved === undefined ? { text } : new Command({ resume: approved }), config)
  return text
}`,
    change: ["post('/letters', { draft, text })", "post('/letters', { draft, text, to: 'all' })"],
    inputs: [{ text: 'one' }, { text: 'one', approved: true }],
    isConversation: true,
    says: { 2: { headline: 'step 1 diverged (input: body).', at: "post('/letters'", advice: accept } },
  },
  {
    name: 'openai-agents-with-a-session',
    code: `import { Agent, MemorySession, OpenAIProvider, Runner } from '@openai/agents'
const runner = new Runner({ modelProvider: new OpenAIProvider({ apiKey: 'sk-local', baseURL: MODEL + '/v1', useResponses: false }), model: 'gpt-4.1', tracingDisabled: true })
const desk = new Agent({ name: 'desk', instructions: 'You help.' })
const session = new MemorySession()
export async function agent({ text }) {
  const { finalOutput } = await runner.run(desk, text, { session })
  return finalOutput
}`,
    change: ['runner.run(desk, text, { session })', "runner.run(desk, text, { session: text === 'two' ? new MemorySession() : session })"],
    inputs: turns.slice(0, 2),
    isConversation: true,
    says: { 2: { headline: 'step 1 diverged (input: messages).', at: 'runner.run(desk', advice: accept } },
  },
  {
    name: 'cursor-of-a-conversation',
    code: `let cursor = 0
const page = () => get('/pages/' + cursor++)
export async function agent() {
  await page()
  return (await page()).path
}`,
    change: ['cursor++', '(cursor++ % 3)'],
    inputs: turns.slice(0, 2),
    isConversation: true,
    says: { 2: { headline: 'step 2 diverged (input: url).', at: 'return (await page())', advice: accept } },
  },
  {
    name: 'counts-tries-over-runs',
    code: `let failed = 0
export async function agent({ text }) {
  const { status } = await post('/counted/' + text, {})
  if (text !== 'three') failed += 1
  if (failed >= 5) await post('/alarm', { failed, status })
  return await post('/done', { text })
}`,
    change: ['failed >= 5', 'failed >= 2'],
    inputs: turns.slice(0, 2),
    isConversation: true,
    // The request may as well be the one that was due, to another path.
    says: { 2: { headline: 'step 2 diverged (input: url, body).', at: "post('/alarm'", advice: accept } },
  },
  {
    name: 'first-run-is-at-fault',
    code: `const history = []
export async function agent({ text }) {
  const { path } = await post('/talk', { history, text })
  history.push(text, path)
  return path
}`,
    change: ["post('/talk', {", "post('/talk', { to: 'all',"],
    inputs: turns.slice(0, 1),
    says: { 1: { headline: 'step 1 diverged (input: body).', at: "post('/talk'", advice: accept } },
  },
]
