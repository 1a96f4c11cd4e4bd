import { statSync } from 'node:fs'
import path from 'node:path'
import type { AgentEntry, GoldenrunConfig } from './define-config.ts'
import { displayPath } from '../node/display-path.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { LoadedConfig } from './load-config.ts'
import type { ReplayOptions } from '../replay/contract/replay-options.ts'
import { omitUndefined } from '../trace/json.ts'

/** The location of an agent, from the config. */
export interface AgentReference {
  /** A file, relative to the config's folder, or another module specifier. */
  readonly module: string
  /** The name of the export. */
  readonly exported: string
}

/** An agent with any input and context. */
export type ConfiguredAgent = (input: never, context: unknown) => unknown

/** Returns the location of an agent by name; undefined if the config does not name it. */
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

/** Creates the context that an agent receives in addition to its input, for each replay. */
export async function makeContext({ agents = {} }: GoldenrunConfig, name: string): Promise<unknown> {
  const entry: AgentEntry | undefined = Object.hasOwn(agents, name) ? agents[name] : undefined
  return typeof entry === 'object' ? await entry.context?.() : undefined
}

/** Returns the module's export of that name. If that is not a function, describes the module's exports: `exports supportAgent`. */
export function pickAgent(
  module: Readonly<Record<string, unknown>>,
  exported: string,
): { readonly agent: ConfiguredAgent; readonly found?: never } | { readonly agent?: never; readonly found: string } {
  const agent = module[exported]
  if (typeof agent === 'function') return { agent: agent as ConfiguredAgent }
  const names = Object.keys(module)
  return { found: names.length === 0 ? 'exports nothing' : `exports ${names.join(', ')}` }
}

/**
 * Returns the error for a trace whose agent the config does not name, or for a missing config.
 *
 * @param trace The trace's name in messages.
 */
export function missingAgent(trace: string, agent: string, { config, file }: LoadedConfig): GoldenrunError {
  const key = /^[A-Za-z_$][\w$]*$/.test(agent) ? agent : JSON.stringify(agent)
  const example = `agents: { ${key}: './src/agent.ts#agent' }`
  const known = Object.keys(config.agents ?? {})
  const named = known.length === 0 ? 'names no agent' : `names only ${known.join(', ')}`
  const problem =
    file === undefined
      ? `there is no goldenrun.config.ts that names it. Create one: export default defineConfig({ ${example} })`
      : `${displayPath(file)} ${named}. Add it there: ${example}`
  return new GoldenrunError('GOLDENRUN_NO_AGENT', `${trace} is a run of the agent "${agent}", and ${problem}`)
}

/** Returns the replay options from a config for an agent's traces, with a new context each time. */
export async function replayOptionsOf(config: GoldenrunConfig, agent: string): Promise<ReplayOptions> {
  const { ambient, mute, record, headers } = config
  const { draws: _, ...redact } = config.redact ?? {}
  return { ...config.replay, redact, ...omitUndefined({ ambient, mute, record, headers, context: await makeContext(config, agent) }) }
}
