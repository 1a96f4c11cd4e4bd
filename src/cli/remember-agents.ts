import path from 'node:path'
import { type ConfiguredAgent, missingAgent } from '../config/agent-reference.ts'
import { loadAgent } from '../config/load-agent.ts'
import { setStandInKeys } from '../config/stand-in-keys.ts'
import { variablesOf } from '../replay/traces/variables-of.ts'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import { guardOutside, type OutsideGuard } from '../goldens/guard-outside.ts'
import { knownOrMade } from '../trace/remember.ts'
import type { Trace } from '../trace/trace.ts'
import { mayUseNetwork } from './may-use-network.ts'
import { needNetwork } from './replay-journal.ts'
import type { SelectedTrace } from './select-traces.ts'

/** Finds the agent of a trace. */
export type AgentOf = (trace: Trace, file: string) => Promise<{ readonly agent: ConfiguredAgent; readonly loaded: LoadedConfig }>

/** The options of working on the traces of a command. */
export interface EachTraceOptions {
  /** Returns the folder where a golden's config is looked for, by the golden's file in messages. Default: the file's folder. */
  readonly configDirectoryOf?: (file: string) => string
  /** Called before each trace. */
  readonly onTrace: (name: string, index: number) => void
}

/**
 * Works on traces one after another, with the agents of their configs. Once the first agent's module is about to be loaded, the process cannot
 * contact the outside world.
 */
export async function forEachTrace<Result>(
  selected: readonly SelectedTrace[],
  options: EachTraceOptions,
  work: (trace: SelectedTrace, agentOf: AgentOf) => Promise<Result>,
): Promise<Result[]> {
  const outside = guardOutside()
  const agentOf = rememberAgents(outside, options)
  const results: Result[] = []
  try {
    for (const [index, each] of selected.entries()) {
      options.onTrace(each.name, index)
      results.push(await work(each, agentOf))
      outside.tell(each.name)
    }
    return results
  } finally {
    outside.release()
  }
}

/** Loads agents, each of them once. A golden uses the config nearest to its file, a recording the one nearest to the working directory. */
export function rememberAgents(
  outside: Pick<OutsideGuard, 'declare' | 'knows'>,
  { configDirectoryOf = (file) => path.dirname(path.resolve(file)) }: Pick<EachTraceOptions, 'configDirectoryOf'>,
): AgentOf {
  const configs = new Map<string, Promise<LoadedConfig>>()
  const agents = new Map<string, Promise<ConfiguredAgent | undefined>>()
  return async (trace, file) => {
    const { header } = trace
    outside.knows(trace)
    setStandInKeys(variablesOf(trace.rows))
    const directory = header.golden === undefined ? process.cwd() : configDirectoryOf(file)
    const loaded = await knownOrMade(configs, directory, async () => {
      const found = await loadConfig(directory)
      outside.declare(found.config)
      return found
    })
    needNetwork(mayUseNetwork(loaded.config, trace))
    const agent = await knownOrMade(agents, JSON.stringify([loaded.file, header.agent]), () => loadAgent(loaded, header.agent))
    if (agent === undefined) throw missingAgent(file, header.agent, loaded)
    return { agent, loaded }
  }
}
