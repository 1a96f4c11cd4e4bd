import { statSync } from 'node:fs'
import path from 'node:path'
import type { AgentEntry, GoldenrunConfig } from './define-config.ts'

/** The location of an agent, from the config. */
export interface AgentReference {
  /** A file, relative to the config's folder, or another module specifier. */
  readonly module: string
  /** The name of the export. */
  readonly exported: string
}

/** An agent with any input and context. */
export type ConfiguredAgent = (input: never, context: unknown) => unknown

/** The location of an agent by name; undefined if the config does not name it. */
export function findAgent({ agents = {} }: GoldenrunConfig, name: string): AgentReference | undefined {
  const entry = Object.hasOwn(agents, name) ? agents[name] : undefined
  if (entry === undefined) return undefined
  const [module = '', exported = 'default'] = (typeof entry === 'string' ? entry : entry.module).split('#')
  return { module, exported }
}

/** Resolves a module that a config names: a path is relative to the config's folder, anything else is imported by name. */
export function locateModule(config: string, module: string): string {
  const file = path.resolve(path.dirname(config), module)
  return module.startsWith('.') || statSync(file, { throwIfNoEntry: false }) !== undefined ? file : module
}

/** Creates the context that an agent gets besides its input, for each replay. */
export async function makeContext({ agents = {} }: GoldenrunConfig, name: string): Promise<unknown> {
  const entry: AgentEntry | undefined = Object.hasOwn(agents, name) ? agents[name] : undefined
  return typeof entry === 'object' ? await entry.context?.() : undefined
}

/** The agent that a module exports by that name, or, if that is not a function, what the module exports: `exports supportAgent`. */
export function pickAgent(
  module: Readonly<Record<string, unknown>>,
  exported: string,
): { readonly agent: ConfiguredAgent; readonly found?: never } | { readonly agent?: never; readonly found: string } {
  const agent = module[exported]
  if (typeof agent === 'function') return { agent: agent as ConfiguredAgent }
  const names = Object.keys(module)
  return { found: names.length === 0 ? 'exports nothing' : `exports ${names.join(', ')}` }
}
