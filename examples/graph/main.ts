// npm exec -- node examples/graph/main.ts
import OpenAI from 'openai'
import { checkpoint, createRecorder, tool } from 'goldenrun'
import { replay } from 'goldenrun/replay'
import { startPayments } from '../world/payments.ts'
import { startProvider } from '../world/provider.ts'
import { createTemporaryStore } from '../world/temporary-store.ts'

interface State {
  readonly ticket: string
  readonly orderId?: string
  readonly order?: unknown
  readonly reply?: string
}

/** A node of the graph: what it adds to the state, and the node that comes next. */
type Node = (state: State) => Promise<{ readonly add: Partial<State>; readonly next?: string }>

const payments = await startPayments()
const provider = await startProvider({
  script: ({ messages }) => ({ text: messages[0]?.text.startsWith('Which') ? 'ord_1002' : 'It is packed.' }),
})
const client = new OpenAI({ apiKey: 'sk-local', baseURL: provider.openaiBaseUrl })

const ask = async (content: string): Promise<string> => {
  const { choices } = await client.chat.completions.create({ model: 'gpt-4.1-mini', messages: [{ role: 'user', content }] })
  return choices[0]?.message.content ?? ''
}
const getOrder = tool('get_order', { effect: 'read' }, async (id: string) => await (await fetch(`${payments.url}/v1/orders/${id}`)).json())

const nodes: Readonly<Record<string, Node>> = {
  read: async ({ ticket }) => ({ add: { orderId: await ask(`Which order is this about? ${ticket}`) }, next: 'look-up' }),
  'look-up': async ({ orderId = '' }) => ({ add: { order: await getOrder(orderId) }, next: 'answer' }),
  answer: async ({ ticket, order }) => ({ add: { reply: await ask(`Answer: ${ticket} ${JSON.stringify(order)}`) } }),
}

/** Walks the graph. The boundary of each step is a checkpoint: the node's name, and the state after it. */
async function graphAgent({ ticket }: { readonly ticket: string }): Promise<State> {
  let state: State = { ticket }
  for (let name: string | undefined = 'read'; name !== undefined;) {
    const result: Awaited<ReturnType<Node>> | undefined = await nodes[name]?.(state)
    state = { ...state, ...result?.add }
    checkpoint(name, state)
    name = result?.next
  }
  return state
}

await using store = await createTemporaryStore()
const recorder = createRecorder({ store: store.folder })
await recorder.run({ agent: 'graph', input: { ticket: 'Where is my chair, ord_1002?' } }, graphAgent)
await recorder.close()
const asked = provider.exchanges.length
await provider.close()
await payments.close()

const run = await replay(await store.newest(), graphAgent)
for (const { name, state } of run.checkpoints) console.log(`${name.padEnd(8)}  ${JSON.stringify(state)}`)
console.log(
  `Recorded with ${asked} model calls. Replayed with ${provider.exchanges.length - asked}, and ${run.divergences.length} divergences.`,
)
