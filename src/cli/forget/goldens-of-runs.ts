import { listTraces } from '../../replay/traces/list-traces.ts'
import { promotedBy } from '../../stores/promotion-marks.ts'
import { isFound } from '../../stores/run-terms.ts'
import { projectName } from '../mark-promoted.ts'
import type { Unreadable } from '../unreadable.ts'
import type { CustomerRuns, WantedRuns } from './customer-runs.ts'

/** A golden that was made from a run. */
export interface GoldenOfRun {
  /** Its name; with the project's name before it (`shop/refund-twice`) if it belongs to another project. */
  readonly golden: string
  /** The id of the run. */
  readonly promotedFrom: string
  /** Absent for a golden of another project. */
  readonly file?: string
}

/** The goldens that were made from some runs. */
export interface GoldensOfRuns {
  readonly goldens: readonly GoldenOfRun[]
  /** Goldens of this project that cannot be read. */
  readonly unreadable: readonly Unreadable[]
}

/**
 * Finds the goldens that were made from a customer's runs: in this project by the run that they name and by their tags, even if the run is
 * gone, and in other projects by the marks that `promote` left on the recording.
 */
export async function findGoldensOf({ runs, named }: CustomerRuns, { tag }: WantedRuns): Promise<GoldensOfRuns> {
  const ids = new Set([...runs.map(({ id }) => id), ...named])
  const unreadable: Unreadable[] = []
  const listed = await listTraces({ onUnreadable: (trace, { code, message }) => void unreadable.push({ trace, code, message }) })
  const own = listed.flatMap((summary): GoldenOfRun[] => {
    const { golden, file } = summary
    const promotedFrom = golden?.promotedFrom ?? summary.id
    const isMeant = ids.has(promotedFrom) || (tag !== undefined && isFound(summary, { tags: tag }))
    return isMeant ? [{ golden: golden?.name ?? file, promotedFrom, file }] : []
  })
  const project = `${await projectName()}/`
  const marked = runs.flatMap(({ id, summary }) => promotedBy(summary?.flags ?? []).map((by) => ({ golden: by, promotedFrom: id })))
  const elsewhere = new Map(marked.flatMap((each) => (each.golden.startsWith(project) ? [] : [[each.golden, each] as const])))
  return { goldens: [...own, ...elsewhere.values()], unreadable }
}
