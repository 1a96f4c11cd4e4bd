import { parseJson } from '../trace/json.ts'
import { currentScope } from './scope.ts'
import type { Method } from './replace-methods.ts'

/** An object that may have methods. */
export type ToolObject = Readonly<Record<PropertyKey, unknown>>

/** How a framework's tools are run. */
export interface ToolShape {
  /** The name of these tools in error messages. */
  readonly of: string
  /** The method that runs the tool. The framework's own work around it (schemas, callbacks, messages) still runs in a replay. */
  readonly method: PropertyKey
  /** Returns whether a tool has this shape. */
  readonly fits: (tool: ToolObject) => boolean
  /** Whether a framework shows the model the tool's key in a record instead of a name of its own. */
  readonly isNamedByKey?: true
  /** The tool's own name, if it is not a field of the tool. */
  readonly name?: (tool: ToolObject) => unknown
  /** Selects the model's arguments from those of `method`. */
  readonly input: (args: readonly unknown[]) => unknown
  /** Checks the result of a call of the tool. */
  readonly check?: (name: string, result: unknown) => void
}

const first = (args: readonly unknown[]): unknown => args[0]
const has = (tool: ToolObject, method: PropertyKey): boolean => isMethod(tool[method])
const isNamed = (tool: ToolObject): boolean => typeof tool['name'] === 'string'
const metadataName = ({ metadata }: ToolObject): unknown => (isObject(metadata) ? metadata['name'] : undefined)

/** The tools that `wrapTools` knows. The first matching shape is used. */
const SHAPES: readonly ToolShape[] = [
  {
    of: 'LangChain tools',
    method: '_call',
    fits: (tool) => isNamed(tool) && has(tool, '_call') && has(tool, 'invoke'),
    input: first,
    check: noteInstances,
  },
  {
    of: 'OpenAI Agents tools',
    method: 'invoke',
    fits: (tool) => isNamed(tool) && tool['type'] === 'function' && has(tool, 'invoke'),
    input: ([, printed]) => parsed(printed),
  },
  {
    of: 'LangChain runnables made with asTool',
    method: 'invoke',
    fits: (tool) => isNamed(tool) && has(tool, 'invoke') && 'schema' in tool,
    input: ([input]) => (isObject(input) && input['type'] === 'tool_call' ? input['args'] : input),
    check: noteInstances,
  },
  {
    of: 'AI SDK, Mastra and VoltAgent tools',
    method: 'execute',
    isNamedByKey: true,
    fits: (tool) => has(tool, 'execute'),
    input: first,
  },
  {
    of: 'LlamaIndex tools',
    method: 'call',
    name: metadataName,
    fits: (tool) => typeof metadataName(tool) === 'string' && has(tool, 'call'),
    input: first,
  },
  { of: 'runnable tools of the Anthropic SDK', method: 'run', fits: (tool) => isNamed(tool) && has(tool, 'run'), input: first },
]

/** What `wrapTools` supports, for its error message. */
export const SUPPORTED: string = ['functions', ...SHAPES.map(({ of }) => of), 'MCP clients'].join(', ')

/** Returns the shape of a tool, if it is known. */
export function shapeOf(tool: ToolObject): ToolShape | undefined {
  return SHAPES.find(({ fits }) => fits(tool))
}

/** Returns whether a tool has no function here, because the provider or the caller runs it. */
export function runsElsewhere(tool: ToolObject): boolean {
  if ('inputSchema' in tool) return true
  return typeof tool['type'] === 'string' && tool['type'] !== 'function' && !Object.values(tool).some(isMethod)
}

/** Returns whether a function is a Genkit tool: Genkit runs the one in its registry, never a wrapper. */
export function isGenkitTool(tool: Method): boolean {
  return '__action' in tool
}

/** Returns whether a value is an object. */
export function isObject(value: unknown): value is ToolObject {
  return typeof value === 'object' && value !== null
}

/** Returns whether a value is a function. */
export function isMethod(value: unknown): value is Method {
  return typeof value === 'function'
}

/** Parses the arguments that a model printed; returns them unchanged if they are not JSON. */
function parsed(printed: unknown): unknown {
  const json = typeof printed === 'string' ? parseJson(printed) : undefined
  return json === undefined ? printed : json
}

/** LangChain only accepts messages and commands as instances of its classes, which a trace cannot revive. */
function noteInstances(name: string, result: unknown): void {
  if (!isObject(result) || result['lc_direct_tool_output'] !== true) return
  const what = `an instance of ${Object(result).constructor.name}, which LangChain accepts only from the tool itself`
  currentScope()?.run.note('unkept-value', `${name} output: ${what}`)
}
