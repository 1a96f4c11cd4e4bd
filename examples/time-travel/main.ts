// npm exec -- node examples/time-travel/main.ts
import OpenAI from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { checkpoint, createRecorder, currentRun, tool } from 'goldenrun'
import { compareRuns, fork, resume } from 'goldenrun/replay'
import { startPayments } from '../world/payments.ts'
import { startProvider } from '../world/provider.ts'
import { createTemporaryStore } from '../world/temporary-store.ts'

const payments = await startPayments()
const provider = await startProvider({
  script: [{ toolCalls: [{ name: 'get_order', args: { id: 'ord_1001' } }] }, { text: 'It has shipped.' }],
})
const client = new OpenAI({ apiKey: 'sk-local', baseURL: provider.openaiBaseUrl })
const getOrder = tool(
  'get_order',
  { effect: 'read' },
  async ({ id }: { readonly id: string }) => await (await fetch(`${payments.url}/v1/orders/${id}`)).json(),
)

const ask = async (messages: ChatCompletionMessageParam[]) =>
  (await client.chat.completions.create({ model: 'gpt-4.1-mini', messages })).choices[0]?.message

async function orderAgent({ ticket }: { readonly ticket: string }): Promise<string> {
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: ticket }]
  const asked = await ask(messages)
  const [call] = asked?.tool_calls ?? []
  if (asked === undefined || call?.type !== 'function') return asked?.content ?? ''
  const args = JSON.parse(call.function.arguments) as { id: string }
  messages.push(asked, { role: 'tool', tool_call_id: call.id, content: JSON.stringify(await getOrder(args)) })
  checkpoint('looked-up', messages)
  return await answer(messages)
}

const answer = async (messages: ChatCompletionMessageParam[]): Promise<string> => (await ask(messages))?.content ?? ''

await using store = await createTemporaryStore()
const recorder = createRecorder({ store: store.folder })
await recorder.run({ agent: 'orders', input: { ticket: 'Where is ord_1001?' } }, orderAgent)
await recorder.close()
const recorded = await store.newest()
await provider.close()
await payments.close()

// From the checkpoint on, without what came before it.
const resumed = await resume(recorded, () => answer(currentRun()?.resumedFrom?.state as ChatCompletionMessageParam[]), {
  checkpoint: 'looked-up',
})
console.log(`resumed: steps ${resumed.steps.map(({ step }) => step).join(' ')}, ${JSON.stringify(resumed.outcome)}`)

// Back to the tool: what if the shop had lost the order, or had not answered? The model is answered for here.
const at = { tool: 'get_order' }
const answers = { 'openai.chat': 'I will look into it.' }
const lost = await fork(recorded, orderAgent, { at, edit: { answer: { id: 'ord_1001', status: 'lost' } }, answers })
const down = await fork(recorded, orderAgent, { at, edit: { answer: new Error('The shop is down.') } })

const { runs } = await compareRuns(recorded, lost, down)
for (const [index, { trace, toolCalls, difference }] of runs.entries()) {
  const { output, error } = trace.end ?? {}
  const name = ['recorded', 'lost', 'down'][index]
  const first = difference === undefined ? '' : `, differs at step ${difference.step} (${difference.cause})`
  console.log(`${name}: ${error === undefined ? JSON.stringify(output) : `threw ${error.message}`}, tool calls: ${toolCalls}${first}`)
}
