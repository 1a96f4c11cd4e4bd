import { type CallSite, captureTrail, isOfAgent, siteOf, type Trail } from '../../run/call-site.ts'
import { followBack } from '../../run/way-back.ts'
import type { Divergence } from '../../divergence/divergence.ts'
import type { CompletionRow } from '../../trace/rows.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import type { Finding } from './finding.ts'

/**
 * Finds the agent's line of a call if a client hides it: the line that waits for the refusal of the call that stopped the replay, for a call that a
 * limit ended, or for the answer of a call that was made in the place of another.
 */
export class HiddenLines {
  readonly #lines = new Map<Divergence | ReplayCall, CallSite>()
  /** Calls whose answer leads to their line, by their recorded steps. */
  readonly #wanted = new Map<number, ReplayCall>()
  readonly #calls = new WeakMap<Divergence, ReplayCall>()
  /** Whose line is the first of the agent that anything reaches now. */
  readonly #sought = new Set<Divergence | ReplayCall>()
  /** The first refused call, and the last time that its client made it. */
  #refused: { readonly stop: Finding; readonly first: ReplayCall; readonly call: ReplayCall } | undefined
  #stop: (() => void) | undefined

  /** Whether the way of a refusal or an answer back to the agent is followed. */
  get isSeeking(): boolean {
    return this.#sought.size > 0
  }

  /** A call is about to be refused. A client may make it again before it passes the refusal on. */
  followRefusal(call: ReplayCall, stop: Finding | undefined): void {
    const refused = this.#refused
    this.#forget(refused?.stop.divergence, refused?.first)
    if (stop === undefined || this.#lines.has(stop.divergence)) return
    if (refused?.stop === stop && !isAgain(call, refused.call)) return
    const first = refused?.stop === stop ? refused.first : call
    this.#refused = { stop, first, call }
    // The agent may have left out other calls before it made this one.
    if (isHidden(call.trail, stop.divergence)) this.#follow(stop.divergence, first)
  }

  /** A call is about to settle without its answer, which a divergence reports. @param trail The stack of the call. */
  seek(divergence: Divergence, trail: Trail | undefined): void {
    if (isHidden(trail, divergence)) this.#follow(divergence)
  }

  /** A finding may name the line of a call that has just been made. */
  want(call: ReplayCall): void {
    const { stack } = (call.trail ??= captureTrail())
    const { planned } = call
    if (planned !== undefined && stack !== undefined && !isOfAgent(siteOf(call.trail))) this.#wanted.set(planned.call.step, call)
  }

  /** The finding names the line of this call. */
  names({ divergence }: Finding, call: ReplayCall | undefined): void {
    if (call !== undefined && divergence.site === undefined) this.#calls.set(divergence, call)
  }

  /** Completions are about to be released. */
  release(rows: readonly CompletionRow[]): void {
    if (this.#wanted.size === 0) return
    this.end()
    const [step, ...others] = new Set(rows.map((row) => ('step' in row ? row.step : undefined)))
    const call = step === undefined ? undefined : this.#wanted.get(step)
    // Behind several completions, the first line of the agent may be that of another call.
    if (call !== undefined && others.length === 0 && rows.some((row) => row === call.planned?.settled)) this.#follow(call)
  }

  /** Follows no further: something else happens in the run, or it is over. */
  end(): void {
    this.#sought.clear()
    this.#stop?.()
    this.#stop = undefined
  }

  /** The finding, with the line if there is one. */
  lined({ place, divergence }: Finding): Finding {
    const call = this.#calls.get(divergence)
    const site = this.#lines.get(divergence) ?? (call && this.#lines.get(call))
    return { place, divergence: site === undefined ? divergence : { ...divergence, site } }
  }

  #follow(...whose: readonly (Divergence | ReplayCall)[]): void {
    for (const each of whose) this.#sought.add(each)
    this.#stop ??= followBack((found) => {
      const site = siteOf(found)
      for (const each of this.#sought) if (site !== undefined) this.#lines.set(each, site)
      this.end()
    })
  }

  #forget(...whose: readonly (Divergence | ReplayCall | undefined)[]): void {
    const wasSeeking = this.isSeeking
    for (const each of whose) if (each !== undefined) this.#sought.delete(each)
    if (wasSeeking && !this.isSeeking) this.end()
  }
}

/** Whether a client hides the line of a call that a divergence reports. In a comparison of two recorded runs, no agent runs. */
function isHidden(trail: Trail | undefined, { site }: Divergence): boolean {
  return trail?.stack !== undefined && site === undefined
}

/** Whether a client makes a refused call again, rather than the agent another one. */
function isAgain({ boundary, name, input }: ReplayCall, first: ReplayCall): boolean {
  return boundary === first.boundary && name === first.name && input !== undefined && input.blanked.text === first.input?.blanked.text
}
