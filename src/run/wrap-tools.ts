import type { Effect } from '../trace/boundary.ts'
import { OptionsError } from '../trace/errors/options-error.ts'
import { callAsStep, type FunctionStep } from './function-step.ts'
import { type Method, replaceMethods, wrapMethod } from './replace-methods.ts'
import { isGenkitTool, isMethod, isObject, runsElsewhere, shapeOf, SUPPORTED, type ToolObject, type ToolShape } from './tool-shapes.ts'
import { isMcpClient, wrapMcpClient } from './wrap-mcp-client.ts'

/** What `wrapTools` is told of the tools it wraps. */
export interface WrapToolsOptions {
  /** What each tool does to the world, by its name. Default: not said. */
  readonly effects?: Readonly<Record<string, Effect>>
}

/**
 * Makes boundaries of tools as a framework takes them, and returns the same shape: an array or a record of functions, of LangChain tools, of tools
 * made with `tool()` of OpenAI Agents or of the AI SDK, of Mastra, VoltAgent or LlamaIndex tools, or an MCP client. Each call is a step of the run, recorded with what the
 * model asked for and what the tool gave, and on replay answered from the trace without running the tool. What a framework passes beside the
 * model's arguments (the conversation, its configuration, an abort signal) is not recorded.
 *
 * The step is named as the model names the tool: by the tool's own name, or else by its key. A tool without a function of its own (run by the
 * provider or by the caller) is returned as it is. Plain objects are copied; an instance of a class is wrapped in place. Outside a run a tool is called and nothing else.
 *
 * @throws OptionsError for a tool of a shape that is not known or that has no name, for one of Genkit, and for an effect of a tool that is not there.
 *
 * @example
 * const agent = createReactAgent({ llm, tools: wrapTools([getOrder, cancelOrder], { effects: { cancel_order: 'write' } }) })
 */
export function wrapTools<Tools extends object>(tools: Tools, options: WrapToolsOptions = {}): Tools {
  const wrapping = new Wrapping(options.effects ?? {})
  if (isMcpClient(tools)) return wrapping.wrap('mcp', tools) as Tools
  const wrapped = Array.isArray(tools)
    ? tools.map((tool: unknown, index) => wrapping.wrap(index, tool))
    : Object.fromEntries(Object.entries(tools).map(([key, tool]) => [key, wrapping.wrap(key, tool)]))
  wrapping.checkEffects()
  return wrapped as Tools
}

/** Where a tool stands among those given. */
type Place = string | number

/** One call of `wrapTools`. */
class Wrapping {
  readonly #effects: Readonly<Record<string, Effect>>
  readonly #names = new Set<string>()
  /** Which tools a client has is known only once it is asked. */
  #hasClient = false

  constructor(effects: Readonly<Record<string, Effect>>) {
    this.#effects = effects
  }

  wrap(place: Place, tool: unknown): unknown {
    if (isMethod(tool)) return this.#wrapFunction(place, tool)
    if (!isObject(tool)) throw unknownTool(place, tool === null ? 'null' : `a ${typeof tool}`)
    if (isMcpClient(tool)) return this.#wrapClient(place, tool)
    const shape = shapeOf(tool)
    if (shape !== undefined) return this.#wrapObject(place, tool, shape)
    if (runsElsewhere(tool)) return tool
    throw unknownTool(place, `an object with ${Object.keys(tool).join(', ')}`)
  }

  /** @throws OptionsError for an effect of a tool that is not there: it would have none. */
  checkEffects(): void {
    const missing = this.#hasClient ? undefined : Object.keys(this.#effects).find((name) => !this.#names.has(name))
    if (missing === undefined) return
    throw new OptionsError('wrapTools', 'effects', `names ${missing}, which is none of the tools: ${[...this.#names].join(', ')}.`)
  }

  #wrapFunction(place: Place, body: Method): Method {
    if (isGenkitTool(body)) throw genkitTool(place)
    const step = this.#step(typeof place === 'string' ? place : named(place, body.name))
    return wrapMethod(body, (original) => asStep(step, original))
  }

  #wrapObject(place: Place, tool: ToolObject, { method, isNamedByKey, name: ownName, input, check }: ToolShape): ToolObject {
    const name = isNamedByKey && typeof place === 'string' ? place : named(place, ownName?.(tool), tool['name'], tool['id'])
    const step = { ...this.#step(name), input }
    const wrapper = wrapMethod(tool[method] as Method, (body) => asStep(step, check === undefined ? body : checking(name, body, check)))
    return replaceMethods(tool, new Map([[method, wrapper]]))
  }

  #wrapClient(place: Place, client: ToolObject): ToolObject {
    this.#hasClient = true
    const { name } = client
    const own = typeof name === 'string' ? name : `mcp${place}`
    return wrapMcpClient(typeof place === 'string' ? place : own, client, this.#effects)
  }

  #step(name: string): FunctionStep {
    this.#names.add(name)
    const effect = this.#effects[name]
    return { boundary: 'tool', name, ...(effect === undefined ? {} : { effect }) }
  }
}

function asStep(step: FunctionStep, body: Method): Method {
  return function (this: unknown, ...args: unknown[]): unknown {
    return callAsStep(step, args, () => Reflect.apply(body, this, args))
  }
}

function checking(name: string, body: Method, check: (name: string, result: unknown) => void): Method {
  return async function (this: unknown, ...args: unknown[]): Promise<unknown> {
    const result = await Reflect.apply(body, this, args)
    check(name, result)
    return result
  }
}

/** The first of a tool's own names that is one. */
function named(place: Place, ...names: readonly unknown[]): string {
  const name = names.find((own): own is string => typeof own === 'string' && own !== '')
  if (name === undefined)
    throw new OptionsError('wrapTools', 'tools', `has at ${place} a tool without a name. Give a record, whose keys are names.`)
  return name
}

function genkitTool(place: Place): OptionsError {
  const advice = 'Wrap the function that defineTool is given: tool(name, options, function).'
  return new OptionsError('wrapTools', 'tools', `has at ${place} a tool of Genkit, which runs it from a registry of its own. ${advice}`)
}

function unknownTool(place: Place, problem: string): OptionsError {
  return new OptionsError('wrapTools', 'tools', `has at ${place} what cannot be wrapped: ${problem}. It takes: ${SUPPORTED}.`)
}
