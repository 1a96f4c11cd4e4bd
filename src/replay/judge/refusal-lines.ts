import { type CallSite, siteOf } from '../../run/call-site.ts'
import { followRefusal } from '../../run/refusal-trail.ts'
import type { Divergence } from '../../divergence/divergence.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { Finding } from './finding.ts'

/** Finds the agent's line of the call that stopped a replay, if a client hides it: the line that waits for the refusal. */
export class RefusalLines {
  readonly #lines = new Map<Divergence, CallSite>()
  #followed: Finding | undefined
  #stop: (() => void) | undefined

  /** A call is about to be refused. */
  follow({ trail }: ReplayCall, stop: Finding | undefined): void {
    this.end()
    if (stop === undefined || stop === this.#followed) return
    this.#followed = stop
    const { divergence } = stop
    // In a comparison of two recorded runs, no agent runs.
    if (trail?.stack === undefined || divergence.site !== undefined) return
    this.#stop = followRefusal((found) => {
      const site = siteOf(found)
      if (site !== undefined) this.#lines.set(divergence, site)
    })
  }

  /** Follows no further: something else happens in the run, or it is over. */
  end(): void {
    this.#stop?.()
    this.#stop = undefined
  }

  /** The finding, with the line if there is one. */
  lined({ place, divergence }: Finding): Finding {
    const site = this.#lines.get(divergence)
    return { place, divergence: site === undefined ? divergence : { ...divergence, site } }
  }
}
