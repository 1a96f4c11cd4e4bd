import path from 'node:path'
import { loadAgent } from '../config/load-agent.ts'
import { setStandInKeys } from '../config/stand-in-keys.ts'
import { variablesOf } from '../replay/traces/variables-of.ts'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import { type ConfiguredAgent, replayOptionsOf } from '../config/agent-reference.ts'
import type { FreshRequest } from '../goldens/fresh/fresh-request.ts'
import { replayFresh } from '../goldens/fresh/replay-fresh.ts'
import { type IncidentProof, proofOfVerdict, proveIncident } from '../goldens/prove-incident.ts'
import { displayPath } from '../node/display-path.ts'
import { canReplayAgain } from '../replay/result/agent-lines.ts'
import type { Promotion } from '../replay/goldens/promotion.ts'
import type { ReplayOptions } from '../replay/contract/replay-options.ts'
import { readTrace } from '../replay/traces/read-trace.ts'
import type { Trace } from '../trace/trace.ts'
import { withWitness } from './past-code/past-code.ts'
import type { PromotionSummary } from './promotion-summary.ts'
import { diverted, type Terminal } from './terminal.ts'

/** Which agent has to reproduce the incident. */
export interface ProofOptions {
  readonly witness?: string
  readonly allowUnverifiedIncident?: true
  /** False with `--no-replay`. */
  readonly replay: boolean
}

/**
 * Checks whether an agent reproduces the incident: the agent of the current config, or the agent of the given commit.
 *
 * @param earlier The earlier runs of its conversation, if they are not written yet.
 */
export async function proofOf(
  promotion: Promotion,
  options: ProofOptions,
  earlier: readonly Promotion[] | undefined,
  terminal: Terminal,
): Promise<PromotionSummary['incident']> {
  const { golden, agent: name } = promotion.trace.header
  if (golden?.expect.replay !== 'departs') return undefined
  if (options.allowUnverifiedIncident === true) return { unverified: '--allow-unverified-incident' }
  const { witness } = options
  if (witness === undefined && !options.replay) return { unverified: '--no-replay' }
  return await diverted(terminal, async () => {
    if (witness === undefined) {
      const now = await loadConfig()
      // A user who follows the advice of a golden without checks has already fixed the agent.
      if (await replacesItsLike(promotion)) return { unverified: 'the golden that it replaces is of the same incident' }
      const word = await proveWith(promotion, now, process.cwd(), earlier)
      return word === undefined
        ? { unverified: `goldenrun.config.ts names no agent "${name}"` }
        : { word, by: 'the agent of goldenrun.config.ts' }
    }
    const by = `the agent of ${witness}`
    const word = await withWitness(
      witness,
      async (directory) => await proveWith(promotion, await loadConfig(directory), directory, earlier, by),
    )
    return word === undefined ? { unverified: `the config of ${witness} names no agent "${name}"` } : { word, by }
  })
}

/** Whether a golden of that name already exists that was promoted from the same recording with the same trigger and call. */
async function replacesItsLike({ file, trace }: Promotion): Promise<boolean> {
  const before = await readTrace(file).catch(() => undefined)
  const [one, other] = [before?.header.golden, trace.header.golden]
  if (one?.expect.replay !== 'departs' || other?.expect.replay !== 'departs' || one.promotedFrom !== other.promotedFrom) return false
  return one.expect.at === other.expect.at && one.expect.trigger === other.expect.trigger
}

async function proveWith(
  promotion: Promotion,
  loaded: LoadedConfig,
  directory: string,
  earlier: readonly Promotion[] | undefined,
  whose?: string,
): Promise<IncidentProof | undefined> {
  const configured = await configuredAgent(loaded, promotion.trace)
  if (configured === undefined) return undefined
  // This process has replayed the run before, so the agent's modules may have kept something of it.
  const anew = canReplayAgain(configured.options) ? await replayFresh(proofRequest(promotion, directory, earlier)) : undefined
  if (anew !== undefined) return proofOfVerdict(promotion, anew, whose)
  const after = earlier?.map(({ trace }) => trace)
  return await proveIncident(promotion, configured.agent, { ...configured.options, ...(after && { after }) }, whose)
}

function proofRequest({ name, file, text }: Promotion, directory: string, earlier: readonly Promotion[] | undefined): FreshRequest {
  const trace = { name, file: displayPath(file), text, origin: path.resolve(file), directory }
  const before = earlier?.map((each) => ({ file: displayPath(each.file), text: each.text }))
  return { trace, purpose: 'verdict', onDivergence: 'stop', ...(before && { earlier: before }) }
}

/** Returns the agent of a trace by its name in the config, with the options for replaying its traces before they are promoted; undefined if the config does not name it. */
export async function configuredAgent(
  loaded: LoadedConfig,
  { header, rows }: Trace,
): Promise<{ readonly agent: ConfiguredAgent; readonly options: ReplayOptions } | undefined> {
  const name = header.agent
  setStandInKeys(variablesOf(rows))
  const agent = await loadAgent(loaded, name)
  if (agent === undefined) return undefined
  const { onDivergence: _, store: __, ...options } = await replayOptionsOf(loaded.config, name)
  return { agent, options }
}
