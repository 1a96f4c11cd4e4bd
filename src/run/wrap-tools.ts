import type { Effect } from '../trace/boundary.ts'
import { callAsStep, dressAs } from './function-step.ts'

/** What `wrapTools` is told of the tools it wraps. */
export interface WrapToolsOptions {
  /** What each tool does to the world, by its name. Default: not said. */
  readonly effects?: Readonly<Record<string, Effect>>
}

/**
 * Wraps a record of tools and returns the same shape: plain functions (`{ get_order: async (args) => … }`) and the tool objects of the
 * AI SDK (`{ get_order: tool({ inputSchema, execute }) }`). The name of a tool is its key. Only a tool's first argument is its input:
 * what the AI SDK passes beside it (the conversation, an abort signal) is not the caller's to compare.
 *
 * A tool without a function of its own (run by the provider or by the client) is returned as it is.
 */
export function wrapTools<Tools extends Readonly<Record<string, unknown>>>(tools: Tools, options: WrapToolsOptions = {}): Tools {
  const wrapped = Object.entries(tools).map(([name, value]) => [name, wrapTool(name, value, options.effects?.[name])])
  return Object.fromEntries(wrapped) as Tools
}

function wrapTool(name: string, value: unknown, effect: Effect | undefined): unknown {
  if (isFunction(value)) return wrapFunction(name, value, effect)
  if (typeof value !== 'object' || value === null || !('execute' in value) || !isFunction(value.execute)) return value
  const copy: object = Object.create(Object.getPrototypeOf(value), Object.getOwnPropertyDescriptors(value))
  return Object.defineProperty(copy, 'execute', {
    value: wrapFunction(name, value.execute, effect),
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

function wrapFunction(name: string, body: (...args: unknown[]) => unknown, effect: Effect | undefined): (...args: unknown[]) => unknown {
  const step = {
    boundary: 'tool',
    name,
    ...(effect === undefined ? {} : { effect }),
    input: (args: readonly unknown[]) => args[0],
  } as const
  const wrapper = function (this: unknown, ...args: unknown[]): unknown {
    return callAsStep(step, args, () => Reflect.apply(body, this, args))
  }
  return dressAs(wrapper, body)
}

function isFunction(value: unknown): value is (...args: unknown[]) => unknown {
  return typeof value === 'function'
}
