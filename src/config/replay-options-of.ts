import type { ReplayOptions } from '../replay/contract/replay-options.ts'
import { omitUndefined } from '../trace/json.ts'
import { makeContext } from './agent-reference.ts'
import type { GoldenrunConfig } from './define-config.ts'

/** The replay options from a config for an agent's traces, with a new context each time. */
export async function replayOptionsOf(config: GoldenrunConfig, agent: string): Promise<ReplayOptions> {
  const { ambient, mute } = config
  const { draws: _, ...redact } = config.redact ?? {}
  return { ...config.replay, redact, ...omitUndefined({ ambient, mute, context: await makeContext(config, agent) }) }
}
