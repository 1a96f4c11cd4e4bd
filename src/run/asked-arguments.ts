/**
 * What the frameworks pass to a tool beside the arguments that the model asked for, by the keys that such an object always has.
 * None of it is the model's, and most of it cannot be written down: a conversation, callbacks, a store, an abort signal.
 */
const RUNTIME_MARKS: readonly (readonly string[])[] = [
  /** AI SDK: the options of `execute`. */
  ['toolCallId', 'messages'],
  /** OpenAI Agents: the `RunContext`, and the details of the call. */
  ['context', 'usage', 'isToolApproved'],
  ['toolCall', 'signal'],
  ['toolCall', 'resumeState'],
  /** LangChain: the run manager of a tool, and the config of a runnable, which is LangGraph's runtime too. */
  ['runId', 'handleToolEnd'],
  ['recursionLimit', 'metadata'],
  /** Mastra: the context of `execute`. */
  ['requestContext', 'mastra'],
  /** Genkit: the options of a tool's function. */
  ['context', 'sendChunk', 'interrupt'],
  /** VoltAgent: the context of the operation. */
  ['operationId', 'systemContext'],
  /** The tool runner of the Anthropic SDK. */
  ['toolUseBlock'],
  /** A handler of an MCP server. */
  ['sendNotification', 'sendRequest'],
]

/**
 * What of a call's arguments makes its input: all but those at the end that a framework adds of its own, or that are undefined. A single one is
 * itself, several are a list. The first one is never a framework's.
 */
export function askedInput(args: readonly unknown[]): unknown {
  const last = args.findLastIndex((arg, index) => arg !== undefined && (index === 0 || !isRuntime(arg)))
  return last === 0 ? args[0] : args.slice(0, last + 1)
}

function isRuntime(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return value instanceof AbortSignal || RUNTIME_MARKS.some((marks) => marks.every((mark) => mark in value))
}
