/**
 * Objects that frameworks pass to a tool in addition to the model's arguments, by the keys that such an object always has. They do not come
 * from the model, and most cannot be recorded: a conversation, callbacks, a store, an abort signal.
 */
const RUNTIME_MARKS: readonly (readonly string[])[] = [
  /** AI SDK: the options of `execute`. */
  ['toolCallId', 'messages'],
  /** OpenAI Agents: the `RunContext`, and the details of the call. */
  ['context', 'usage', 'isToolApproved'],
  ['toolCall', 'signal'],
  ['toolCall', 'resumeState'],
  /** LangChain: the run manager of a tool, and the config of a runnable, which is also LangGraph's runtime. */
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
 * Returns the recorded input of a call: its arguments without trailing ones that a framework adds or that are undefined. A single argument
 * is the input itself, several are a list. The first one never belongs to a framework.
 */
export function askedInput(args: readonly unknown[]): unknown {
  const last = args.findLastIndex((arg, index) => arg !== undefined && (index === 0 || !isRuntime(arg)))
  return last === 0 ? args[0] : args.slice(0, last + 1)
}

function isRuntime(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return value instanceof AbortSignal || RUNTIME_MARKS.some((marks) => marks.every((mark) => mark in value))
}
