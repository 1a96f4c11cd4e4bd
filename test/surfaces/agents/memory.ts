import type { ChangedAgent } from '../changed-agent.ts'
import { accept, answer, recordOrder, recordWithout } from './words.ts'

/** Agents whose modules keep something: caches, singletons, statements that a process makes once. */
export const memory: readonly ChangedAgent[] = [
  {
    name: 'cache-with-one-key',
    code: `const cache = new Map()
const order = async (id) => cache.get(id) ?? cache.set(id, await get('/orders/' + id)).get(id)
export async function agent() {
  await order('a')
  await order('b')
  return await post('/letters', { text: 'Dear all' })
}`,
    change: ['cache.get(id) ?? cache.set(id,', "cache.get('') ?? cache.set('',"],
    says: { 1: { headline: 'step 2 diverged (missing call).', at: "post('/letters'", advice: recordWithout } },
  },
  {
    name: 'cache-switched-off',
    code: `const cache = new Map()
const order = async (id) => {
  if (cache.has(id)) return cache.get(id)
  const found = await get('/orders/' + id)
  cache.set(id, found)
  return found
}
export async function agent() {
  await order('a')
  await order('a')
  return await post('/letters', { text: 'Dear Ann' })
}`,
    change: ['  cache.set(id, found)\n', ''],
    says: { 1: { headline: 'the call after step 1 diverged (unexpected call).', at: "await get('/orders/'", advice: answer } },
  },
  {
    name: 'once-per-process',
    code: `let ready
export async function agent() {
  await (ready ??= post('/setup', { version: 1 }))
  await get('/orders/a')
  await get('/orders/b')
  return await post('/rows', { name: 'ann' })
}`,
    change: ["{ name: 'ann' }", "{ name: 'eve' }"],
    says: { 1: { headline: 'step 4 diverged (input: body).', at: "post('/rows'", advice: accept } },
  },
  {
    name: 'once-per-process-changed',
    code: `let ready
export async function agent() {
  await (ready ??= post('/setup', { version: 1 }))
  return await post('/rows', { name: 'ann' })
}`,
    change: ['version: 1', 'version: 2'],
    says: { 1: { headline: 'step 1 diverged (input: body).', at: "post('/setup'", advice: accept } },
  },
  {
    name: 'no-longer-once',
    code: `let ready
const setup = () => (ready ??= post('/setup', {}))
export async function agent() {
  await setup()
  await get('/orders/a')
  await setup() // again
  return await post('/rows', { name: 'ann' })
}`,
    change: ['(ready ??= ', '(ready = '],
    says: { 1: { headline: 'the call after step 2 diverged (unexpected call).', at: '// again', advice: answer } },
  },
  {
    name: 'token-of-the-process',
    code: `let token
const login = async () => (token ??= (await post('/login', { scope: 'read' })).path)
export async function agent() {
  const by = await login()
  return await post('/orders', { by, of: await login() })
}`,
    change: ["scope: 'read'", "scope: 'write'"],
    says: { 1: { headline: 'step 1 diverged (input: body).', at: "post('/login'", advice: accept } },
  },
  {
    name: 'template-of-a-module',
    code: `let template
export async function agent() {
  template ??= (await get('/templates/letter')).path
  return await post('/letters', { text: template + ': Dear Ann' })
}`,
    change: ["': Dear Ann'", "': Hello Ann'"],
    says: { 1: { headline: 'step 2 diverged (input: body).', at: "post('/letters'", advice: accept } },
  },
  {
    name: 'counter-of-a-module',
    code: `let sent = 0
export async function agent() {
  for (const id of ['a', 'b', 'c']) await post('/letters', { id, number: ++sent })
}`,
    change: ['++sent', 'sent++'],
    says: { 1: { headline: 'step 1 diverged (input: body).', at: "post('/letters'", advice: accept } },
  },
  {
    name: 'history-of-a-module',
    code: `const history = []
const say = async (text) => history.push(text, (await post('/talk', { history, text })).path)
export async function agent() {
  await say('one')
  await say('two')
  await say('three')
}`,
    change: ['{ history, text }', '{ history: history.slice(-3), text }'],
    says: { 1: { headline: 'step 3 diverged (input: body).', at: "await say('three')", atInTests: 'const say', advice: accept } },
  },
  {
    name: 'memory-of-all-threads',
    code: `const memory = new Map()
export async function agent({ thread }) {
  const known = memory.get(thread) ?? []
  memory.set(thread, [...known, thread])
  return await post('/talk', { known, thread })
}`,
    change: ['memory.get(thread) ?? []', '[...memory.keys()]'],
    inputs: [{ thread: 'a' }, { thread: 'b' }, { thread: 'c' }],
    says: {},
  },
  {
    name: 'memory-and-a-change',
    code: `const memory = new Map()
export async function agent({ thread }) {
  const known = memory.get(thread) ?? []
  memory.set(thread, [...known, thread])
  await post('/talk', { known, thread })
  return await post('/done', { thread })
}`,
    change: ["post('/done', { thread })", "post('/done', { thread: thread === 'b' ? 'B' : thread })"],
    inputs: [{ thread: 'a' }, { thread: 'b' }, { thread: 'c' }],
    says: { 2: { headline: 'step 2 diverged (input: body).', at: "post('/done'", advice: accept } },
  },
  {
    name: 'singleton-of-openai',
    code: `import OpenAI from 'openai'
let client
const openai = () => (client ??= new OpenAI({ apiKey: 'sk-local', baseURL: MODEL + '/v1' }))
const ask = (content) => openai().chat.completions.create({ model: 'gpt-4.1', messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user', content }] })
export async function agent() {
  await ask('one')
  return (await ask('two')).choices[0].message.content
}`,
    change: ['Be brief.', 'Be kind.'],
    says: { 1: { headline: 'step 1 diverged (input: system prompt).', at: "await ask('one')", advice: accept } },
  },
  {
    name: 'calls-made-parallel',
    code: `const memory = []
export async function agent() {
  memory.push(memory.length)
  await post('/rows', { row: 1, memory }); await post('/rows', { row: 2, memory })
  return await post('/done', { memory })
}`,
    change: [
      "await post('/rows', { row: 1, memory }); await post('/rows', { row: 2, memory })",
      "await Promise.all([post('/rows', { row: 1, memory }), post('/rows', { row: 2, memory })])",
    ],
    says: { 1: { headline: 'step 2 diverged (order).', at: 'Promise.all', advice: recordOrder } },
  },
  {
    name: 'queue-of-a-module',
    code: `import PQueue from 'p-queue'
const queue = new PQueue({ concurrency: 1 })
const send = (id) => queue.add(() => post('/letters', { id }))
export async function agent() {
  await Promise.all([send('a'), send('b'), send('c')])
  return await get('/letters')
}`,
    change: ["send('b'), send('c')", "send('c')"],
    says: { 1: { headline: 'step 2 diverged (missing call).', at: "post('/letters'", atInTests: 'Promise.all', advice: recordWithout } },
  },
  {
    name: 'loader-of-a-module',
    code: `import DataLoader from 'dataloader'
const orders = new DataLoader(async (ids) => { const { path } = await post('/orders', { ids }); return ids.map((id) => path + id) })
export async function agent() {
  await Promise.all([orders.load('a'), orders.load('b')])
  return await post('/done', { order: await orders.load('a') })
}`,
    change: ["post('/orders', { ids })", "post('/orders', { ids: ids.toReversed() })"],
    says: { 1: { headline: 'step 1 diverged (input: body).', at: "post('/orders'", advice: accept } },
  },
]
