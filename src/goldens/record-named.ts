import path from 'node:path'
import type { ConfiguredAgent } from '../config/agent-reference.ts'
import { loadConfig, type LoadedConfig } from '../config/load-config.ts'
import { findConversation } from '../replay/traces/conversation.ts'
import { readTrace } from '../replay/traces/read-trace.ts'
import type { ReplayOptions } from '../replay/contract/replay-options.ts'
import { displayPath } from '../node/display-path.ts'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import { say } from '../run/tell.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import { omitUndefined } from '../trace/json.ts'
import { findGoldenFile } from './find-golden-file.ts'
import { promote } from './promote.ts'
import { describeFailure, recordLive } from '../replay/goldens/record-live.ts'

/** Options for recording a golden that a test names. */
export interface RecordNamedOptions extends Pick<ReplayOptions, 'agent' | 'context'> {
  /** The agent's input, for a golden that does not exist yet. */
  readonly input?: unknown
}

/** Records a golden again, by name or path; or for the first time, if its input is given. Leaves a recording unchanged. */
export async function recordNamed(given: string, agent: ConfiguredAgent, options: RecordNamedOptions): Promise<void> {
  const wanted = (await findConversation(given)) ?? given
  if (Object.hasOwn(options, 'input') && (await isNew(wanted))) return await recordNew(wanted, agent, options)
  const trace = await readTrace(wanted)
  const file = await findGoldenFile(wanted)
  if (trace.header.golden === undefined || file === undefined) return
  const { recordInPlace } = await import('./record-in-place.ts')
  await recordInPlace(file, trace, agent, (await loadConfig(path.dirname(file))).config, options.context)
  say(`Recorded ${displayPath(file)} again.`)
}

/**
 * Runs an agent live and writes the run as a new golden.
 *
 * @throws GoldenrunError `GOLDENRUN_RECORD_FAILED` if the run fails, `GOLDENRUN_GOLDEN_EXISTS` for an existing name,
 * `GOLDENRUN_PROMOTE_…` if the recording lacks what a replay needs. Nothing is written then.
 */
async function recordNew(name: string, agent: ConfiguredAgent, { input, context, ...options }: RecordNamedOptions): Promise<void> {
  const loaded = await loadConfig(createGoldenDirectory().directory)
  const { env, compareHeaders, effects, ambient, mute, record, files, redact } = loaded.config
  const run = { agent: options.agent ?? agentName(name, agent, loaded), input }
  const recorded = await recordLive(run, agent, {
    context,
    ...omitUndefined({ env, compareHeaders, effects, ambient, mute, record, files, redact }),
  })
  if ('error' in recorded) {
    const problem = `The live run of "${name}" failed, so no golden was written: ${describeFailure(recorded.error)}`
    throw new GoldenrunError('GOLDENRUN_RECORD_FAILED', problem, { cause: recorded.error })
  }
  const { file } = await promote(recorded.trace, { name })
  say(`Recorded ${displayPath(file)}: review it and commit it.`)
}

/** Returns the agent's name in the config. A golden has to be recorded under that name, because its file is replayed by it. */
function agentName(golden: string, { name }: Pick<Function, 'name'>, { config, file }: LoadedConfig): string {
  const known = Object.entries(config.agents ?? {})
  const [only, ...others] = known.filter(([, entry]) => (typeof entry === 'string' ? entry : entry.module).endsWith(`#${name}`))
  if (only !== undefined && others.length === 0) return only[0]
  if (known.length === 1 && known[0] !== undefined) return known[0][0]
  const problem =
    file === undefined
      ? 'there is no goldenrun.config.ts that names it'
      : `${displayPath(file)} names ${known.length === 0 ? 'none' : known.map(([key]) => key).join(', ')}`
  throw new GoldenrunError(
    'GOLDENRUN_NO_AGENT',
    `Cannot record "${golden}": cannot tell which agent it is, since ${problem}. Name it: replay('${golden}', agent, { agent: 'name', input })`,
  )
}

async function isNew(wanted: string): Promise<boolean> {
  return !wanted.endsWith('.jsonl') && (await createGoldenDirectory().find(wanted)).length === 0
}
