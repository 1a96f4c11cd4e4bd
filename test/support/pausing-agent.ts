import { json } from 'node:stream/consumers'
import { listen, type LocalServer } from '../../examples/world/listen.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { currentRun } from '../../src/run/current-run.ts'

/** What the agent is given: an order to refund, or what a person decided about the one that it has paused for. */
export interface PausingInput {
  readonly order?: string
  readonly paused?: string
  readonly approved?: boolean
}

/** What it returns. */
export interface PausingOutput {
  readonly paused?: string
  readonly refund?: string
}

/** An agent that pauses for approval, and goes on in another run with what the process has kept. */
export type PausingAgent = (input: PausingInput) => Promise<PausingOutput>

/** A shop that finds orders and books refunds. */
export interface Shop extends LocalServer {
  /** The orders whose refunds were booked, in order. */
  readonly refunds: readonly string[]
}

/** Starts a shop. */
export async function startShop(): Promise<Shop> {
  const refunds: string[] = []
  const server = await listen(async (incoming, response) => {
    const body = (await json(incoming)) as { readonly order: string; readonly amount?: number }
    response.setHeader('content-type', 'application/json')
    if (incoming.url === '/orders') return void response.end(JSON.stringify({ order: body.order, total: 4900 }))
    refunds.push(body.order)
    response.end(JSON.stringify({ id: `re_${refunds.length}`, amount: body.amount }))
  })
  return Object.assign(server, { refunds })
}

/** The source of the agent's module: it keeps its paused conversations in a map of the module. */
export function pausingSource(url: string, form: 'import' | 'require' = 'import'): string {
  const source = `
const paused = new Map()

async function post(path, body) {
  const response = await fetch('${url}' + path, { method: 'POST', body: JSON.stringify(body) })
  return await response.json()
}

async function support(input) {
  if (input.paused === undefined) {
    const { total } = await post('/orders', { order: input.order })
    const id = crypto.randomUUID()
    paused.set(id, { order: input.order, amount: total })
    return { paused: id }
  }
  const plan = paused.get(input.paused)
  if (plan === undefined) throw new Error('There is no paused conversation ' + input.paused)
  paused.delete(input.paused)
  if (!input.approved) return {}
  const { id } = await post('/refunds', plan)
  return { refund: id }
}
`
  return `${source}${form === 'import' ? 'export { support }' : 'exports.support = support'}\n`
}

/** The agent in a process of its own, as it were: with a map of its own. @param edit Changes its source. */
export function createPausingAgent(url: string, edit: (source: string) => string = (source) => source): PausingAgent {
  // oxlint-disable-next-line typescript/no-implied-eval -- the same source as that of the runners' projects
  const load = new Function('exports', edit(pausingSource(url, 'require'))) as (exports: { support?: PausingAgent }) => void
  const exported: { support?: PausingAgent } = {}
  load(exported)
  if (exported.support === undefined) throw new Error('The source exports no agent.')
  return exported.support
}

/** Records a conversation of two runs in a store: the ids of the recordings. */
export async function recordConversation(store: string, agent: PausingAgent, order = 'ord_1'): Promise<readonly [string, string]> {
  const recorder = createRecorder({ store, thread: false })
  const ids: string[] = []
  const run = async (input: PausingInput): Promise<PausingOutput> =>
    await recorder.run({ agent: 'support', input }, async (given: PausingInput) => {
      ids.push(currentRun()?.id ?? '')
      return await agent(given)
    })
  const { paused = '' } = await run({ order })
  await recorder.flush()
  await run({ paused, approved: true })
  await recorder.close()
  return [ids[0] ?? '', ids[1] ?? '']
}
