import type { Effect } from '../trace/boundary.ts'
import type { FunctionStep } from './function-step.ts'
import { type Method, replaceMethods, wrapMethod } from './replace-methods.ts'
import { isMethod, isObject, type ToolObject } from './tool-shapes.ts'

/** Requests of an MCP client other than tool calls, and methods that describe its connection. */
const REQUESTS: readonly string[] = [
  'close',
  'complete',
  'getInstructions',
  'getPrompt',
  'getServerCapabilities',
  'getServerVersion',
  'listPrompts',
  'listResources',
  'listResourceTemplates',
  'listTools',
  'ping',
  'readResource',
  'sendRootsListChanged',
  'setLoggingLevel',
  'subscribeResource',
  'unsubscribeResource',
]

/** Returns whether a value is a client of an MCP server: the MCP SDK's client, or a server of OpenAI Agents. */
export function isMcpClient(value: unknown): value is ToolObject {
  return isObject(value) && isMethod(value['callTool']) && isMethod(value['listTools']) && isMethod(value['connect'])
}

/**
 * Wraps an MCP client with any transport: a tool call is that tool's step, and other requests, including connecting, are separate steps.
 * A replay does not connect.
 */
export function wrapMcpClient(name: string, client: ToolObject, effects: Readonly<Record<string, Effect>>): ToolObject {
  const methods = new Map<PropertyKey, Method>()
  const replace = (key: string, stepOf: (args: readonly unknown[]) => FunctionStep): void => {
    const method = client[key]
    if (isMethod(method)) methods.set(key, wrapMethod(method, stepOf))
  }
  for (const key of REQUESTS) replace(key, () => ({ boundary: 'external', name: `${name}.${key}`, input: ([params]) => params ?? [] }))
  // The argument is an open transport, which is not data.
  replace('connect', () => ({ boundary: 'external', name: `${name}.connect`, input: () => [] }))
  replace('callTool', (args) => toolStep(args, effects))
  return replaceMethods(client, methods)
}

/** `callTool({ name, arguments })` of the MCP SDK, `callTool(name, args)` of OpenAI Agents. */
function toolStep([first, second]: readonly unknown[], effects: Readonly<Record<string, Effect>>): FunctionStep {
  const [name, asked] = isObject(first) ? [first['name'], first['arguments']] : [first, second]
  const effect = effects[String(name)]
  return { boundary: 'tool', name: String(name), ...(effect === undefined ? {} : { effect }), input: () => asked ?? {} }
}
