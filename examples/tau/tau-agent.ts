import { external, tool } from 'goldenrun'
import type { ChatCompletionMessageFunctionToolCall, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { connectModel } from './tau-model.ts'
import type { TauDomain } from './tau-run.ts'
import { TAU_TOOLS, type TauTool } from './tau-tools.ts'
import type { TauContext } from './tau-world.ts'

/** What a τ-bench agent is asked to do. */
export interface TauInput {
  readonly domain: TauDomain
  /** The shop's rules: the system prompt. */
  readonly policy: string
}

/** How the run ended, and all that was said in it. */
export interface TauOutput {
  readonly ended: 'stopped-by-user' | 'transferred' | 'out-of-turns'
  readonly messages: readonly ChatCompletionMessageParam[]
}

/** An agent over one conversation. `context` may be absent in a replay, where nothing asks for it. */
export type TauAgent = (input: TauInput, context?: TauContext) => Promise<TauOutput>

/** What a test may change about the agent; each default is the agent as it was recorded. */
export interface TauAgentOptions {
  /** Whether answers are streamed. Default: false. */
  readonly streaming?: boolean
  /** Default: the input's policy. */
  readonly systemPrompt?: string
  /** Descriptions by tool name. Default: those in `TAU_TOOLS`. */
  readonly toolDescription?: Readonly<Record<string, string>>
  /** The arguments that a tool is called with; `index` counts the run's tool calls from 0. Default: what the model printed, parsed. */
  readonly mapArguments?: (name: string, args: unknown, index: number) => unknown
  /** What the agent takes the customer to have said; `index` counts the customer's turns from 0. Default: just that. */
  readonly mapUserTurn?: (text: string, index: number) => string
  /** Turns of the model after which the agent gives up. Default: 30, as in τ-bench. */
  readonly maxTurns?: number
}

const STOP_TOKEN = '###STOP###'

const TRANSFER_TOOL = 'transfer_to_human_agents'

/** Where the agent looks for a model if nobody tells it. */
const USUAL_BASE_URL = 'http://127.0.0.1:4010/v1'

/** The agent with nothing changed. */
export const tauAgent: TauAgent = createTauAgent()

/**
 * Makes an agent that goes through a τ-bench conversation with the `openai` SDK: the customer speaks, the model answers or calls tools,
 * until the customer says the stop token, the model hands over to a person, or there were too many turns.
 */
export function createTauAgent(options: TauAgentOptions = {}): TauAgent {
  const { mapArguments = (_name, args) => args, mapUserTurn = (text) => text, maxTurns = 30 } = options
  return async (input, context) => {
    const tools = TAU_TOOLS[input.domain]
    const askModel = connectModel({
      baseUrl: context?.baseUrl ?? USUAL_BASE_URL,
      tools,
      toolDescription: options.toolDescription ?? {},
      streaming: options.streaming ?? false,
    })
    const askUser = external('user', (reply: string | null) => present(context).nextUserTurn(reply))
    const callTool = createToolCaller(tools, context)
    const messages: ChatCompletionMessageParam[] = [{ role: 'system', content: options.systemPrompt ?? input.policy }]
    let userTurns = 0
    let toolCalls = 0

    async function hear(reply: string | null): Promise<boolean> {
      const text = mapUserTurn(await askUser(reply), userTurns)
      userTurns += 1
      messages.push({ role: 'user', content: text })
      return text.includes(STOP_TOKEN)
    }

    async function act(call: ChatCompletionMessageFunctionToolCall): Promise<void> {
      const { name } = call.function
      const args = mapArguments(name, JSON.parse(call.function.arguments), toolCalls)
      toolCalls += 1
      messages.push({ role: 'tool', tool_call_id: call.id, content: await callTool(name, args) })
    }

    await hear(null)
    for (let turn = 0; turn < maxTurns; turn += 1) {
      const said = await askModel(messages)
      messages.push(said)
      const calls = said.tool_calls ?? []
      for (const call of calls) await act(call)
      if (calls.some((call) => call.function.name === TRANSFER_TOOL)) return { ended: 'transferred', messages }
      if (calls.length === 0 && (await hear(said.content))) return { ended: 'stopped-by-user', messages }
    }
    return { ended: 'out-of-turns', messages }
  }
}

function createToolCaller(tools: readonly TauTool[], context: TauContext | undefined): (name: string, args: unknown) => Promise<string> {
  const callers = new Map(
    tools.map(({ name, effect }) => [name, tool(name, { effect }, (args: unknown) => present(context).callTool(name, args))]),
  )
  return async (name, args) => {
    const caller = callers.get(name)
    if (caller === undefined) throw new Error(`There is no tool named ${name}.`)
    return caller(args)
  }
}

function present(context: TauContext | undefined): TauContext {
  if (context === undefined) throw new Error('A τ-bench agent that runs for real needs the context of a world: startTauWorld(run).')
  return context
}
