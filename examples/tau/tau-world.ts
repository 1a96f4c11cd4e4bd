import { type Provider, startProvider } from '../world/provider.ts'
import type { Turn } from '../world/turn.ts'
import type { TauMessage, TauRun } from './tau-run.ts'

/** What a τ-bench agent is given to work with; none of it goes into a trace. */
export interface TauContext {
  /** Where the model is. */
  readonly baseUrl: string
  /** What the customer says next, given what the agent said; null for the opening. */
  nextUserTurn(reply: string | null): Promise<string>
  /** The result of the run's next tool call, as text. */
  callTool(name: string, args: unknown): Promise<string>
}

/** The world of one recorded run. */
export interface TauWorld extends AsyncDisposable {
  readonly provider: Provider
  readonly context: TauContext
  close(): Promise<void>
}

/**
 * Starts the world of one recorded run: a model provider on loopback that answers turn k of the conversation with the recorded turn k, a
 * customer who says what was recorded, and tools that give what was recorded, each in the recorded order whatever they are told or given.
 *
 * A world serves one run of the agent, for its customer and its tools remember how far they are. The tool results throw where another
 * tool is called than was recorded, and each throws where the recording has no more to give.
 */
export async function startTauWorld(run: TauRun): Promise<TauWorld> {
  const turns = run.messages.filter((message) => message.role === 'assistant')
  const provider = await startProvider({ script: turns.map(toTurn) })
  const nextUser = inOrder(run, 'user')
  const nextResult = inOrder(run, 'tool')
  const calls = turns.flatMap((turn) => turn.toolCalls ?? []).values()
  const close = (): Promise<void> => provider.close()
  return {
    provider,
    context: {
      baseUrl: provider.openaiBaseUrl,
      nextUserTurn: async () => nextUser(),
      async callTool(name) {
        const recorded = calls.next().value
        if (recorded !== undefined && recorded.name !== name) {
          throw new Error(`The next tool call of ${run.name} is ${recorded.name}, the agent called ${name}.`)
        }
        return nextResult()
      },
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** What a recorded assistant's message is to the scripted provider. */
export function toTurn(message: TauMessage): Turn {
  const toolCalls = message.toolCalls?.map(({ id, name, argumentsText }) => ({
    id,
    name,
    args: JSON.parse(argumentsText) as unknown,
    argumentsText,
  }))
  return { ...(message.content !== null && { text: message.content }), ...(toolCalls && { toolCalls }) }
}

/** Gives the contents of the run's messages of one role, one at a time. */
function inOrder(run: TauRun, role: TauMessage['role']): () => string {
  const messages = run.messages.filter((message) => message.role === role).values()
  return () => {
    const { value, done } = messages.next()
    if (done === true) throw new Error(`${run.name} has no more messages of the role ${role}.`)
    return value.content ?? ''
  }
}
