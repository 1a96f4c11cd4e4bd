import { tellDivergence } from '../divergence/report/cause-words.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import { ownCommand } from '../stores/package-manager.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { Trace } from '../trace/trace.ts'
import type { ReplayedRun } from './contract/replayed-run.ts'

/** Thrown if a run cannot be replayed because an earlier run of its conversation does not hold. */
export class EarlierRunError extends GoldenrunError {
  static override readonly code = 'GOLDENRUN_EARLIER_RUN'

  /** The name of the earlier golden, or the id of a recording. */
  readonly earlier: string
  /** The replay of the earlier run. */
  declare readonly run: ReplayedRun

  constructor(trace: Trace, run: ReplayedRun) {
    const [name, earlier] = [nameOf({ trace }), nameOf(run)]
    const [divergence] = run.divergences
    const what = divergence === undefined ? 'it was stopped' : tellDivergence(divergence)
    super(
      EarlierRunError.code,
      `"${name}" was not judged, because it follows "${earlier}", which does not hold: ${what}. ` +
        `Fix or update that one first. To see it: ${ownCommand(`replay ${earlier}`)}`,
    )
    this.name = 'EarlierRunError'
    this.earlier = earlier
    // Runners print an error's enumerable properties.
    Object.defineProperty(this, 'run', { value: run })
  }
}
