import path from 'node:path'
import { type ConfiguredAgent, missingAgent } from '../config/agent-reference.ts'
import { loadAgent } from '../config/load-agent.ts'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import type { OutsideGuard } from '../goldens/guard-outside.ts'
import { knownOrMade } from '../node/remember.ts'
import type { Trace } from '../trace/trace.ts'

/** Finds the agent of a trace. */
export type AgentOf = (trace: Trace, file: string) => Promise<{ readonly agent: ConfiguredAgent; readonly loaded: LoadedConfig }>

/** Loads agents: a golden uses the config nearest to its file, a recording the one nearest to the working directory. Each agent is loaded once. */
export function rememberAgents(
  outside: Pick<OutsideGuard, 'declare' | 'knows'>,
  { configDirectoryOf = (file) => path.dirname(path.resolve(file)) }: { readonly configDirectoryOf?: (file: string) => string },
): AgentOf {
  const configs = new Map<string, Promise<LoadedConfig>>()
  const agents = new Map<string, Promise<ConfiguredAgent | undefined>>()
  return async (trace, file) => {
    const { header } = trace
    outside.knows(trace)
    const directory = header.golden === undefined ? process.cwd() : configDirectoryOf(file)
    const loaded = await knownOrMade(configs, directory, async () => {
      const found = await loadConfig(directory)
      outside.declare(found.config)
      return found
    })
    const agent = await knownOrMade(agents, JSON.stringify([loaded.file, header.agent]), () => loadAgent(loaded, header.agent))
    if (agent === undefined) throw missingAgent(file, header.agent, loaded)
    return { agent, loaded }
  }
}
