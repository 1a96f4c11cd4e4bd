import { type CallSite, type Trail, siteOf } from '../../run/call-site.ts'
import { followRefusal } from '../../run/refusal-trail.ts'
import type { Divergence } from '../../divergence/divergence.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { Finding } from './finding.ts'

/** Finds the agent's line of a call that is refused or aborted, if a client hides it: the line that waits for the call. */
export class RefusalLines {
  readonly #lines = new Map<Divergence, CallSite>()
  readonly #sought = new Set<Divergence>()
  #followed: Finding | undefined
  #stop: (() => void) | undefined

  /** A call is about to be refused. If it is not the one that stopped the replay, what reaches the agent next may follow from this one. */
  follow({ trail }: ReplayCall, stop: Finding | undefined): void {
    if (stop === undefined) return
    if (stop === this.#followed) return this.#forget(stop.divergence)
    this.#followed = stop
    this.seek(stop.divergence, trail)
  }

  /** A call is about to settle without its answer, which a divergence reports. @param trail The stack of the call. */
  seek(divergence: Divergence, trail: Trail | undefined): void {
    // In a comparison of two recorded runs, no agent runs.
    if (trail?.stack === undefined || divergence.site !== undefined) return
    this.#sought.add(divergence)
    this.#stop ??= followRefusal((found) => {
      const site = siteOf(found)
      for (const each of this.#sought) if (site !== undefined) this.#lines.set(each, site)
      this.end()
    })
  }

  /** Follows no further: something else happens in the run, or it is over. */
  end(): void {
    this.#sought.clear()
    this.#stop?.()
    this.#stop = undefined
  }

  /** The finding, with the line if there is one. */
  lined({ place, divergence }: Finding): Finding {
    const site = this.#lines.get(divergence)
    return { place, divergence: site === undefined ? divergence : { ...divergence, site } }
  }

  #forget(divergence: Divergence): void {
    this.#sought.delete(divergence)
    if (this.#sought.size === 0) this.end()
  }
}
