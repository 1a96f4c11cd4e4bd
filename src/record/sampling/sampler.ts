import { parseDuration } from '../../stores/amounts.ts'
import type { RunSummary } from '../../stores/run-summary.ts'
import type { TraceStore } from '../../stores/trace-store.ts'
import type { SampleOptions } from './sample-options.ts'
import { shareOf } from './share.ts'

/** Decides which runs are recorded, and which of those are kept. */
export class Sampler {
  readonly #options: SampleOptions
  readonly #store: TraceStore
  readonly #onFailure: (error: unknown) => void
  readonly #slow: number
  /** The number of runs of each version of an agent; infinite while it is unknown. */
  readonly #versions = new Map<string, number>()

  /** @param onFailure Called when the user's own function throws. */
  constructor(options: SampleOptions, store: TraceStore, onFailure: (error: unknown) => void) {
    this.#options = options
    this.#store = store
    this.#onFailure = onFailure
    this.#slow = (options.slowerThan === undefined ? undefined : parseDuration(options.slowerThan)) ?? Infinity
  }

  /** Returns whether a run is recorded at all. */
  records(traceId: string): boolean {
    const { head = 1 } = this.#options
    return head >= 1 || shareOf(traceId) < head
  }

  /** Called when a run begins, so that at its end it is known whether its version is new. */
  begins(agent: string, agentVersion: string | undefined): void {
    const { newVersions = 0 } = this.#options
    if (newVersions === 0 || agentVersion === undefined) return
    const version = versionOf(agent, agentVersion)
    if (this.#versions.has(version)) return
    this.#versions.set(version, 0)
    // Until the store has answered, the version counts as new.
    void this.#store
      .find?.({ agent, agentVersion, limit: newVersions, indexedOnly: true })
      .then(({ runs }) => this.#versions.set(version, (this.#versions.get(version) ?? 0) + runs.length))
      .catch(() => undefined)
  }

  /** Returns whether a run that has ended is kept. */
  keeps(run: RunSummary): boolean {
    const share = shareOf(run.traceId)
    const { errors = 1, flagged = 1, repeatedSideEffects = 1, rest = 1 } = this.#options
    const isNew = this.#isOfNewVersion(run)
    if (run.status === 'threw' && share < errors) return true
    if (run.repeatedSideEffects > 0 && share < repeatedSideEffects) return true
    if (run.flags.length > run.repeatedSideEffects && share < flagged) return true
    return isNew || this.#isLarge(run) || this.#isTagged(run) || this.#isChosen(run) || (isOrdinary(run) && share < rest)
  }

  #isLarge({ durationMs = 0, steps, usage }: RunSummary): boolean {
    const { moreTokensThan = Infinity, moreStepsThan = Infinity } = this.#options
    return durationMs > this.#slow || steps > moreStepsThan || usage.inputTokens + usage.outputTokens > moreTokensThan
  }

  #isTagged({ tags }: RunSummary): boolean {
    return Object.entries(this.#options.tags ?? {}).some(
      ([name, value]) => Object.hasOwn(tags, name) && (value === true || tags[name] === value),
    )
  }

  #isOfNewVersion({ agent, agentVersion }: RunSummary): boolean {
    const { newVersions = 0 } = this.#options
    if (newVersions === 0 || agentVersion === undefined) return false
    const version = versionOf(agent, agentVersion)
    const before = this.#versions.get(version) ?? 0
    this.#versions.set(version, before + 1)
    return before < newVersions
  }

  #isChosen(run: RunSummary): boolean {
    try {
      return this.#options.keep?.(run) === true
    } catch (error) {
      this.#onFailure(error)
      return true
    }
  }
}

/** Returns whether only the share `rest` applies to a run. */
function isOrdinary({ status, flags }: RunSummary): boolean {
  return status !== 'threw' && flags.length === 0
}

function versionOf(agent: string, agentVersion: string): string {
  return JSON.stringify([agent, agentVersion])
}
