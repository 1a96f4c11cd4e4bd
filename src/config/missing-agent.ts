import { displayPath } from '../node/display-path.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { LoadedConfig } from './load-config.ts'

/**
 * What is to be said where a config does not name the agent of a trace, or where there is none.
 *
 * @param trace What messages call the trace.
 */
export function missingAgent(trace: string, agent: string, { config, file }: LoadedConfig): GoldenrunError {
  const key = /^[A-Za-z_$][\w$]*$/.test(agent) ? agent : JSON.stringify(agent)
  const example = `agents: { ${key}: './src/agent.ts#agent' }`
  const known = Object.keys(config.agents ?? {})
  const named = known.length === 0 ? 'names no agent' : `names only ${known.join(', ')}`
  const problem =
    file === undefined
      ? `there is no goldenrun.config.ts that says where that is. Write one: export default defineConfig({ ${example} })`
      : `${displayPath(file)} ${named}. Say there where it is: ${example}`
  return new GoldenrunError('GOLDENRUN_NO_AGENT', `${trace} is a run of the agent "${agent}", and ${problem}`)
}
