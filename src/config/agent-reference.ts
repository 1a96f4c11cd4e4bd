import { statSync } from 'node:fs'
import path from 'node:path'
import type { AgentEntry, GoldenrunConfig } from './define-config.ts'

/** Where an agent is, as its config says. */
export interface AgentReference {
  /** A file, from the config's folder, or what else its module is imported by. */
  readonly module: string
  /** The name of what that exports. */
  readonly exported: string
}

/** An agent, whatever it takes. */
export type ConfiguredAgent = (input: never, context: unknown) => unknown

/** Where the agent of that name is; undefined where the config does not name it. */
export function findAgent({ agents = {} }: GoldenrunConfig, name: string): AgentReference | undefined {
  const entry = Object.hasOwn(agents, name) ? agents[name] : undefined
  if (entry === undefined) return undefined
  const [module = '', exported = 'default'] = (typeof entry === 'string' ? entry : entry.module).split('#')
  return { module, exported }
}

/** Where a module is that a config names: a plain path is one from the config's folder; what is none is imported by its name. */
export function locateModule(config: string, module: string): string {
  const file = path.resolve(path.dirname(config), module)
  return module.startsWith('.') || statSync(file, { throwIfNoEntry: false }) !== undefined ? file : module
}

/** What the agent of that name is given beside its input: made anew for each replay. */
export async function makeContext({ agents = {} }: GoldenrunConfig, name: string): Promise<unknown> {
  const entry: AgentEntry | undefined = Object.hasOwn(agents, name) ? agents[name] : undefined
  return typeof entry === 'object' ? await entry.context?.() : undefined
}

/** The agent that a module exports by that name, or, where that is no function, what it does export: `exports supportAgent`. */
export function pickAgent(
  module: Readonly<Record<string, unknown>>,
  exported: string,
): { readonly agent: ConfiguredAgent; readonly found?: never } | { readonly agent?: never; readonly found: string } {
  const agent = module[exported]
  if (typeof agent === 'function') return { agent: agent as ConfiguredAgent }
  const names = Object.keys(module)
  return { found: names.length === 0 ? 'exports nothing' : `exports ${names.join(', ')}` }
}
