/** Replays a run under the debugger, in its own process. Its argument is the file of the request. */
import { readFileSync, writeFileSync, writeSync } from 'node:fs'
import path from 'node:path'
import { missingAgent, replayOptionsOf } from '../../config/agent-reference.ts'
import { loadAgent } from '../../config/load-agent.ts'
import { setStandInKeys } from '../../config/stand-in-keys.ts'
import { variablesOf } from '../../replay/traces/variables-of.ts'
import { ConfigError } from '../../config/errors/config-error.ts'
import { type LoadedConfig, loadConfig } from '../../config/load-config.ts'
import { guardOutside } from '../../goldens/guard-outside.ts'
import { readStoredTrace } from '../../replay/traces/read-trace.ts'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'
import { OptionsError } from '../../trace/errors/options-error.ts'
import type { Trace } from '../../trace/trace.ts'
import { EnvironmentMask } from '../../travel/inspect/environment-mask.ts'
import { ADDRESS, type InspectAnswer, type InspectRequest } from '../../travel/inspect/inspect-request.ts'
import {
  type InspectedAgent,
  plainReplay,
  type ReadyInspection,
  startDebugging,
  startFinding,
  startReading,
  startVisiting,
} from '../../travel/inspect/inspected-replay.ts'

const request = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as InspectRequest
const environment = new EnvironmentMask(Object.entries(process.env))
// The debugger needs positions in the running code, and reads source maps itself.
process.setSourceMapsEnabled(false)
writeFileSync(request.output, JSON.stringify(await answer()))
// Waits for printed output to be written, but not for what an agent keeps open.
process.stdout.write('', () => process.stderr.write('', () => process.exit(0)))

async function answer(): Promise<InspectAnswer> {
  try {
    // Started before the process is guarded, because the debugger is a thread.
    const inspection = await start()
    const { trace } = await readStoredTrace({ file: request.trace.file, text: readFileSync(request.trace.path, 'utf8') })
    return await inspection.replay(trace, await loadInspected(trace))
  } catch (error) {
    if (!GoldenrunError.isInstance(error)) throw error
    return { identity: '', hash: '', outcome: 'stopped', problem: { code: error.code, message: error.message } }
  }
}

async function start(): Promise<ReadyInspection> {
  const { mode, places, limits, debug } = request
  if (mode === 'find') return await startFinding()
  if (mode === 'visit' && places !== undefined) return await startVisiting(places)
  if (mode === 'read' && places !== undefined) return await startReading(places, limits, environment)
  if (mode !== 'debug' || places === undefined || debug === undefined) return plainReplay
  const ready = await startDebugging(places, limits, debug)
  writeSync(ADDRESS, `${JSON.stringify(ready.address)}\n`)
  return ready
}

async function loadInspected(trace: Trace): Promise<InspectedAgent> {
  const outside = guardOutside()
  outside.knows(trace)
  setStandInKeys(variablesOf(trace.rows))
  const name = trace.header.agent
  const loaded = withAgent(await loadConfig(request.configDirectory), name)
  outside.declare(loaded.config)
  const agent = await loadAgent(loaded, name).catch((error: unknown) => {
    if (request.agent === undefined || !(error instanceof ConfigError)) throw error
    throw new OptionsError('inspect', 'agent', error.problem)
  })
  if (agent === undefined) throw missingAgent(request.trace.file, name, loaded)
  const { tools } = request
  return { agent, options: { ...(await replayOptionsOf(loaded.config, name)), ...(tools !== undefined && { tools }) } }
}

/** Returns the config, with the request's agent in place of its own. */
function withAgent({ config, file }: LoadedConfig, name: string): LoadedConfig {
  const { agent } = request
  if (agent === undefined) return { config, ...(file !== undefined && { file }) }
  const [module = '', exported] = agent.split('#')
  const reference = `${path.resolve(module)}${exported === undefined ? '' : `#${exported}`}`
  const entry = config.agents?.[name]
  const own = typeof entry === 'object' ? { ...entry, module: reference } : reference
  return { config: { ...config, agents: { ...config.agents, [name]: own } }, file: file ?? path.resolve('goldenrun.config.ts') }
}
