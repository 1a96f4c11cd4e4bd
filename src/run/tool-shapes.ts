import { currentScope } from './scope.ts'
import type { Method } from './replace-methods.ts'

/** An object in which a method may be looked for. */
export type ToolObject = Readonly<Record<PropertyKey, unknown>>

/** How the tools of a framework are run. */
export interface ToolShape {
  /** Whose tools they are, as an error says it. */
  readonly of: string
  /** The method that runs the tool. What a framework does around it (schemas, callbacks, messages) goes on in a replay. */
  readonly method: PropertyKey
  /** Whether a tool is one of these. */
  readonly fits: (tool: ToolObject) => boolean
  /** Whether a framework names such a tool to the model by its key in a record, and not by a name of its own. */
  readonly isNamedByKey?: true
  /** The tool's own name, where it is no field of the tool. */
  readonly name?: (tool: ToolObject) => unknown
  /** What the model asked for, of the arguments that `method` is called with. */
  readonly input: (args: readonly unknown[]) => unknown
  /** Looks at what a call of the tool came to. */
  readonly check?: (name: string, result: unknown) => void
}

const first = (args: readonly unknown[]): unknown => args[0]
const has = (tool: ToolObject, method: PropertyKey): boolean => isMethod(tool[method])
const isNamed = (tool: ToolObject): boolean => typeof tool['name'] === 'string'
const metadataName = ({ metadata }: ToolObject): unknown => (isObject(metadata) ? metadata['name'] : undefined)

/** The tools that `wrapTools` knows. A tool has the first shape that fits. */
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

/** What `wrapTools` takes, for the error that names it. */
export const SUPPORTED: string = ['functions', ...SHAPES.map(({ of }) => of), 'MCP clients'].join(', ')

/** The shape of a tool, if it is known. */
export function shapeOf(tool: ToolObject): ToolShape | undefined {
  return SHAPES.find(({ fits }) => fits(tool))
}

/** Whether a tool has no function here: it is run by the provider, or by the caller once the model has asked for it. */
export function runsElsewhere(tool: ToolObject): boolean {
  if ('inputSchema' in tool) return true
  return typeof tool['type'] === 'string' && tool['type'] !== 'function' && !Object.values(tool).some(isMethod)
}

/** Whether a function is a tool of Genkit: generating runs the one in Genkit's registry, and never what stands in its place. */
export function isGenkitTool(tool: Method): boolean {
  return '__action' in tool
}

/** Whether a value is an object. */
export function isObject(value: unknown): value is ToolObject {
  return typeof value === 'object' && value !== null
}

/** Whether a value is a function. */
export function isMethod(value: unknown): value is Method {
  return typeof value === 'function'
}

/** Arguments as a model printed them; as they are where it printed no JSON. */
function parsed(printed: unknown): unknown {
  try {
    return typeof printed === 'string' ? JSON.parse(printed) : printed
  } catch {
    return printed
  }
}

/** LangChain takes messages and commands only as instances of its classes, and a trace revives none. */
function noteInstances(name: string, result: unknown): void {
  if (!isObject(result) || result['lc_direct_tool_output'] !== true) return
  const what = `an instance of ${Object(result).constructor.name}, which LangChain takes only from the tool itself`
  currentScope()?.run.note('unkept-value', `${name} output: ${what}`)
}
