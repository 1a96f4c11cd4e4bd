import { checkpoint, external, tool } from 'goldenrun'
import type { ChatCompletionMessageFunctionToolCall, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { visitAccount } from '../account.ts'
import type { Context } from '../context.ts'
import { MAX_TURNS } from './config.ts'
import { define } from './definitions.ts'
import { headers } from './headers.ts'
import { createLookups } from './lookups.ts'
import { connect } from './model.ts'
import { openDesk } from './opening.ts'
import { openMessages } from './prompt.ts'

/** The desk's task. */
export interface DeskInput {
  readonly domain: 'airline' | 'retail'
  /** The shop's rules. */
  readonly policy: string
  /** Says who uses the desk. */
  readonly userToken: string
}

/** The result of a conversation. */
export interface DeskOutput {
  readonly ended: 'stopped-by-user' | 'transferred' | 'out-of-turns'
  readonly turns: number
  readonly lastWords: string
  readonly receipt: string
}

/** Serves one customer: opens the desk, talks until the customer is done, and closes the ticket. */
export async function desk(input: DeskInput, context: Context): Promise<DeskOutput> {
  await visitAccount(context, headers, input.userToken)
  const lookups = createLookups(context)
  const definitions = define(input.domain)
  const ask = connect({ baseURL: `${context.url}/v1`, definitions, streams: input.domain === 'airline' })
  const hear = external('customer', (reply: string | null): Promise<string> => context.call('customer', reply))
  const tools = new Map(
    definitions.map(({ name, effect }) => [name, tool(name, { effect }, (args: unknown): Promise<string> => context.call(name, args))]),
  )

  function reach(name: string, state: unknown): void {
    checkpoint(name, state)
    context.reached(name, state)
  }

  async function act(call: ChatCompletionMessageFunctionToolCall): Promise<void> {
    const { name } = call.function
    const args = JSON.parse(call.function.arguments) as Record<string, unknown>
    const run = tools.get(name)
    if (run === undefined) throw new Error(`There is no tool ${name}.`)
    messages.push({ role: 'tool', tool_call_id: call.id, content: await run(args) })
  }

  const opening = await openDesk(input.domain, lookups)
  reach('desk-open', { shop: opening.shop, colleagues: opening.colleagues, hasSlot: opening.slot !== null })
  const today = new Date().toISOString().slice(0, 10)
  const messages: ChatCompletionMessageParam[] = openMessages(input.policy, opening.notices, today)
  const ticket = crypto.randomUUID()
  let ended: DeskOutput['ended'] = 'out-of-turns'
  let turns = 0
  let lastWords = ''
  messages.push({ role: 'user', content: await hear(null) })
  while (turns < MAX_TURNS) {
    const said = await ask(messages)
    turns += 1
    messages.push(said)
    const calls = said.tool_calls ?? []
    for (const call of calls) await act(call)
    if (calls.some((call) => call.function.name === 'transfer_to_human_agents')) {
      ended = 'transferred'
      break
    }
    if (calls.length > 0) continue
    lastWords = said.content ?? ''
    const reply = await hear(said.content)
    messages.push({ role: 'user', content: reply })
    if (!reply.includes('###STOP###')) continue
    ended = 'stopped-by-user'
    break
  }
  reach('talk-over', { ended, turns })
  await lookups.fileTranscript({ ticket, words: lastWords.length, ended })
  const receipt = await lookups.closeTicket({ ticket, turns })
  return { ended, turns, lastWords, receipt }
}
