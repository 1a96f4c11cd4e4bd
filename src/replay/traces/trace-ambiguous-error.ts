import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

/** Thrown if a name or the beginning of an id matches several traces. */
export class TraceAmbiguousError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_TRACE_AMBIGUOUS'

  /** The requested name or id. */
  readonly wanted: string
  /** The matching names or ids. */
  readonly candidates: readonly string[]

  /** `what` names the kind of candidates: `golden traces`. */
  constructor({ wanted, candidates, what }: { wanted: string; candidates: readonly string[]; what: string }) {
    const shown = candidates.length > 5 ? [...candidates.slice(0, 5), `and ${candidates.length - 5} more`] : candidates
    super(TraceAmbiguousError.code, `"${wanted}" may mean ${candidates.length} ${what}: ${shown.join(', ')}. Write out the one you mean.`)
    this.name = 'TraceAmbiguousError'
    this.wanted = wanted
    this.candidates = candidates
  }
}
