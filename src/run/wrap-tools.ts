import { callUnseen } from './call-unseen.ts'
import type { Effect } from '../trace/boundary.ts'
import { OptionsError } from '../trace/errors/options-error.ts'
import type { FunctionStep } from './function-step.ts'
import { type Method, replaceMethods, wrapMethod } from './replace-methods.ts'
import { isGenkitTool, isMethod, isObject, runsElsewhere, shapeOf, SUPPORTED, type ToolObject, type ToolShape } from './tool-shapes.ts'
import { isMcpClient, wrapMcpClient } from './wrap-mcp-client.ts'

/** The options of `wrapTools`. */
export interface WrapToolsOptions {
  /** The effect of each tool, by its name. Default: unspecified. */
  readonly effects?: Readonly<Record<string, Effect>>
}

/**
 * Makes a framework's tools boundaries, and returns the same shape: an array or a record of functions, of LangChain tools, of tools made
 * with `tool()` of OpenAI Agents or of the AI SDK, of Mastra, VoltAgent or LlamaIndex tools, or an MCP client. Each call is a step of the
 * run, recorded with the model's arguments and the tool's result, and answered from the trace on replay without running the tool. Other
 * values that a framework passes (the conversation, its configuration, an abort signal) are not recorded.
 *
 * The step has the name that the model knows: the tool's own name, or else its key. A tool without a function of its own (run by the
 * provider or by the caller) is returned unchanged. Plain objects are copied; instances of classes are wrapped in place. Outside of a run, a
 * tool is just called.
 *
 * @throws OptionsError for a tool of an unknown shape or without a name, for a Genkit tool, and for an effect of an unknown tool.
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

/** The place of a tool among the given ones. */
type Place = string | number

/** One call of `wrapTools`. */
class Wrapping {
  readonly #effects: Readonly<Record<string, Effect>>
  readonly #names = new Set<string>()
  /** A client's tools are not known in advance. */
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

  /** @throws OptionsError for an effect of an unknown tool, which would otherwise be ignored. */
  checkEffects(): void {
    const missing = this.#hasClient ? undefined : Object.keys(this.#effects).find((name) => !this.#names.has(name))
    if (missing === undefined) return
    throw new OptionsError('wrapTools', 'effects', `names ${missing}, which is not among the tools: ${[...this.#names].join(', ')}.`)
  }

  #wrapFunction(place: Place, body: Method): Method {
    if (isGenkitTool(body)) throw genkitTool(place)
    const step = this.#step(typeof place === 'string' ? place : named(place, body.name))
    return wrapMethod(body, () => step)
  }

  #wrapObject(place: Place, tool: ToolObject, { method, isNamedByKey, name: ownName, input, check }: ToolShape): ToolObject {
    const name = isNamedByKey && typeof place === 'string' ? place : named(place, ownName?.(tool), tool['name'], tool['id'])
    const step = { ...this.#step(name), input }
    const within = (body: Method): Method => (check === undefined ? body : checking(name, body, check))
    const wrapper = wrapMethod(tool[method] as Method, () => step, within)
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

function checking(name: string, body: Method, check: (name: string, result: unknown) => void): Method {
  return function (this: unknown, ...args: unknown[]): Promise<unknown> {
    return callUnseen(
      () => Reflect.apply(body, this, args),
      (result) => {
        check(name, result)
        return result
      },
    )
  }
}

/** Returns the first valid name among a tool's own names. */
function named(place: Place, ...names: readonly unknown[]): string {
  const name = names.find((own): own is string => typeof own === 'string' && own !== '')
  if (name === undefined)
    throw new OptionsError('wrapTools', 'tools', `has a tool without a name at ${place}. Pass a record whose keys are the names.`)
  return name
}

function genkitTool(place: Place): OptionsError {
  const advice = 'Wrap the function that you pass to defineTool: tool(name, options, function).'
  return new OptionsError('wrapTools', 'tools', `has a Genkit tool at ${place}, which Genkit runs from its own registry. ${advice}`)
}

function unknownTool(place: Place, problem: string): OptionsError {
  return new OptionsError('wrapTools', 'tools', `has a value that cannot be wrapped at ${place}: ${problem}. Supported: ${SUPPORTED}.`)
}
