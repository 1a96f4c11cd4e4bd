import { displayPath } from '../node/display-path.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { LoadedConfig } from './load-config.ts'

/**
 * The error for a trace whose agent the config does not name, or for a missing config.
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
