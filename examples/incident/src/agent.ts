import * as policies from './policies.ts'
import type { Policy, Refund, ToolCall } from './policies.ts'
import { callShop, searchHelp, TOOLS } from './tools.ts'

interface Message {
  readonly role: string
  readonly content: string | null
  readonly tool_calls?: readonly ToolCall[]
  readonly tool_call_id?: string
}

const PROMPT = 'You are the support agent of Lumen, an online shop. Look up what you do not know. Answer in one or two sentences.'
const MOST_TURNS = 6

/** Answers a ticket. */
export type Agent = (input: { readonly ticket: string }) => Promise<{ reply: string }>

/** Makes an agent that refunds, and makes tool calls, by these policies. */
export function createAgent(refund: Refund, policy: Policy): Agent {
  return async function agent({ ticket }) {
    const messages: Message[] = [
      { role: 'system', content: PROMPT },
      { role: 'user', content: ticket },
    ]
    const run = policy((call) => runTool(call, refund))
    for (let turn = 1; turn <= MOST_TURNS; turn += 1) {
      const message = await askModel(messages)
      messages.push(message)
      if (message.tool_calls === undefined) return { reply: message.content ?? '' }
      for (const call of message.tool_calls) {
        const content = await run(call).catch((error: Error) => `Error: ${error.message}`)
        messages.push({ role: 'tool', tool_call_id: call.id, content })
      }
    }
    throw new Error(`No answer after ${MOST_TURNS} turns.`)
  }
}

async function runTool({ function: { name, arguments: text } }: ToolCall, refund: Refund): Promise<string> {
  const args = JSON.parse(text) as never
  return JSON.stringify(name === 'refund_order' ? await refund(args) : await searchHelp(args))
}

async function askModel(messages: readonly Message[]): Promise<Message> {
  const answer = await callShop('/v1/chat/completions', { model: 'gpt-4.1-mini', messages, tools: TOOLS })
  return (answer as { choices: [{ message: Message }] }).choices[0].message
}

/** The agent in production. */
export const supportAgent: Agent = createAgent(policies.again, policies.always)
