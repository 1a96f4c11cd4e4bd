import type { ConfiguredAgent } from '../config/agent-reference.ts'
import { loadConfig } from '../config/load-config.ts'
import { guardOutside } from '../goldens/guard-outside.ts'
import { type Promotion, type Trial, tryPromotion } from '../replay/goldens/promotion.ts'
import type { ReplayOptions } from '../replay/contract/replay-options.ts'
import { displayPath } from '../node/display-path.ts'
import type { Trace } from '../trace/trace.ts'
import { configuredAgent } from './incident-proof.ts'
import { mayUseNetwork } from './may-use-network.ts'
import { needNetwork } from './replay-journal.ts'
import { diverted, type Terminal } from './terminal.ts'

/**
 * Replays a golden with the config's agent before the golden is written; returns undefined if the config does not name the agent.
 *
 * @param after The earlier runs of its conversation, which were tried just before; undefined if they are already goldens, or there are none.
 */
export type TryPromotion = (promotion: Promotion, after: readonly Trace[] | undefined) => Promise<Trial | undefined>

/** Tries the goldens of a command one after another, with the same agent and context, so that the context keeps its state between them. */
export function createTrials(terminal: Terminal): TryPromotion {
  let loading: Promise<{ readonly agent: ConfiguredAgent; readonly options: ReplayOptions } | undefined> | undefined
  return async (promotion, after) => {
    const loaded = await loadConfig()
    needNetwork(mayUseNetwork(loaded.config, promotion.trace))
    // The same conditions as when its file is replayed.
    const outside = guardOutside()
    outside.declare(loaded.config)
    outside.knows(promotion.trace)
    return await diverted(terminal, async () => {
      try {
        const configured = await (loading ??= configuredAgent(loaded, promotion.trace))
        if (configured === undefined) return undefined
        return await tryPromotion(promotion, configured.agent, { ...configured.options, ...(after && { after }) }, after !== undefined)
      } finally {
        outside.release()
        outside.tell(displayPath(promotion.file))
      }
    })
  }
}
