import { loadAgent } from '../config/load-agent.ts'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import { replayOptionsOf } from '../config/replay-options-of.ts'
import { type IncidentProof, proveIncident } from '../goldens/prove-incident.ts'
import { withWitness } from '../goldens/witness.ts'
import type { Promotion } from '../replay/promote.ts'
import type { PromotionSummary } from './promotion-summary.ts'
import type { Terminal } from './terminal.ts'

/** Which agent is asked. */
interface ProofOptions {
  readonly witness?: string
  readonly allowUnverifiedIncident?: true
  /** False with `--no-replay`. */
  readonly replay: boolean
}

/** Whether an agent does again what went wrong: that of the config as it is, and that of the commit that was named. */
export async function proofOf(promotion: Promotion, options: ProofOptions, terminal: Terminal): Promise<PromotionSummary['incident']> {
  const { golden, agent: name } = promotion.trace.header
  if (golden?.expect.replay !== 'departs') return undefined
  if (options.allowUnverifiedIncident === true) return { unverified: '--allow-unverified-incident' }
  const { witness } = options
  if (witness === undefined && !options.replay) return { unverified: '--no-replay' }
  const restore = terminal.divert()
  try {
    const now = await loadConfig()
    if (witness === undefined) {
      const word = await proveWith(promotion, now)
      return word === undefined
        ? { unverified: `goldenrun.config.ts names no agent "${name}"` }
        : { word, by: 'the agent of goldenrun.config.ts' }
    }
    const by = `the agent of ${witness}`
    const word = await withWitness(witness, now.file, async (directory) => await proveWith(promotion, await loadConfig(directory), by))
    return word === undefined ? { unverified: `the config of ${witness} names no agent "${name}"` } : { word, by }
  } finally {
    restore()
  }
}

async function proveWith(promotion: Promotion, loaded: LoadedConfig, whose?: string): Promise<IncidentProof | undefined> {
  const { agent: name } = promotion.trace.header
  const agent = await loadAgent(loaded, name)
  if (agent === undefined) return undefined
  const { onDivergence: _, store: __, ...options } = await replayOptionsOf(loaded.config, name)
  return await proveIncident(promotion, agent, options, whose)
}
