import type { IncidentAgent } from './incident.ts'
import type { World } from './world.ts'

/** A tool call that the model asked for. */
export interface AskedCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** The habits that distinguish one agent from another. */
export interface Habits {
  /** Default: a friendly support agent. */
  readonly prompt?: string
  /** Default: gpt-4.1-mini. */
  readonly model?: string
  /** Descriptions of its tools, by name. */
  readonly tools: Readonly<Record<string, string>>
  /** The most turns that the model gets. Default: 8. */
  readonly maxTurns?: number
  /** Called before the first turn. Default: nothing. */
  readonly opening?: () => Promise<unknown>
  /** Executes a call that the model asked for. */
  readonly act: (call: AskedCall) => Promise<unknown>
  /** Handles the model's last text. Default: it is the reply. */
  readonly closing?: (text: string) => unknown
  /** Returns the result when the model has used up its turns. Default: an apology. */
  readonly givesUp?: () => Promise<unknown>
}

interface Message {
  readonly role: string
  readonly content: string | null
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[]
  readonly tool_call_id?: string
}

/** Creates an agent with the usual loop: it asks the model until the model asks for no tool. */
export function createDeskAgent(world: World, habits: Habits): IncidentAgent {
  const { prompt = 'You are a friendly support agent.', model = 'gpt-4.1-mini', maxTurns = 8, act } = habits
  const { closing = (reply: string): unknown => ({ reply }), givesUp = () => Promise.resolve({ reply: 'I could not find out.' }) } = habits
  const tools = Object.entries(habits.tools).map(([name, description]) => ({
    type: 'function',
    function: { name, description, parameters: { type: 'object' } },
  }))
  return async (input: { readonly ticket: string }): Promise<unknown> => {
    await habits.opening?.()
    const messages: Message[] = [
      { role: 'system', content: prompt },
      { role: 'user', content: input.ticket },
    ]
    for (let turn = 0; turn < maxTurns; turn += 1) {
      const message = await ask(world, { model, messages, tools })
      messages.push(message)
      if (message.tool_calls === undefined) return closing(message.content ?? '')
      for (const { id, function: called } of message.tool_calls) {
        const result = await act({ name: called.name, args: JSON.parse(called.arguments) as AskedCall['args'] })
        messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(result) })
      }
    }
    return givesUp()
  }
}

async function ask({ url }: World, body: object): Promise<Message> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { choices } = (await response.json()) as { choices: [{ message: Message }] }
  return choices[0].message
}

/** Sends a tool's request to the API. */
export async function callApi(
  { url }: World,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return response.json()
}
