import { runToolCall, type ToolCall } from './run-tool.ts'

/** What the agent is asked. */
export interface SupportInput {
  readonly ticket: string
}

/** What the agent answers. */
export interface SupportOutput {
  readonly reply: string
}

/** What the model said: a text for the customer, or tool calls to make first. */
export interface ModelTurn {
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
}

/** The result of a tool call, as the model is told of it. */
export interface ToolResult {
  readonly id: string
  readonly content: string
}

/** A conversation with a model, whichever provider it is of. */
export interface Conversation {
  /** Asks the model to go on, and keeps what it said. */
  next(): Promise<ModelTurn>
  /** Tells the model what its tool calls gave. */
  answer(results: readonly ToolResult[]): void
}

const MOST_TURNS = 8

/** Lets the model call tools, one at a time, until it has an answer. Throws where it has none after eight turns. */
export async function converse(conversation: Conversation): Promise<SupportOutput> {
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const { text, toolCalls } = await conversation.next()
    if (toolCalls.length === 0) return { reply: text }
    const results: ToolResult[] = []
    for (const call of toolCalls) results.push({ id: call.id, content: await runToolCall(call) })
    conversation.answer(results)
  }
  throw new Error(`The model had no answer after ${MOST_TURNS} turns.`)
}
