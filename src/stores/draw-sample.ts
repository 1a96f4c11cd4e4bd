import { builtins } from '../node/builtins.ts'
import { knownOrMade } from '../trace/remember.ts'
import type { RunQuery, RunSample, RunSummary } from './run-summary.ts'

/** A run that may be drawn. */
interface Candidate {
  readonly run: RunSummary
  /** The candidates with the lowest lots are drawn. */
  readonly lot: string
}

/**
 * Draws a sample of runs, which are passed one by one in any order. The sample's size bounds the runs held per group, so a store may have
 * millions of runs.
 */
export class SampleDraw {
  readonly #sample: RunSample
  /** The runs of each group with the lowest lots, sorted. */
  readonly #groups = new Map<string, Candidate[]>()

  constructor(sample: RunSample) {
    this.#sample = sample
  }

  add(run: RunSummary): void {
    const { size, seed, by = [] } = this.#sample
    const key = JSON.stringify(by.map((field) => groupValue(run, field)))
    const group = knownOrMade(this.#groups, key, () => [])
    const lot = builtins.crypto.hash('sha256', `${seed}\n${run.id}`)
    const last = group.at(-1)
    if (group.length >= size && (last === undefined || last.lot <= lot)) return
    const place = group.findIndex((other) => other.lot > lot)
    group.splice(place === -1 ? group.length : place, 0, { run, lot })
    if (group.length > size) group.pop()
  }

  /** Returns a page of the drawn runs, the newest first. Groups contribute one run each in turn until there are enough. */
  page(before: string | undefined, limit: number | undefined): RunSummary[] {
    const turns = [...this.#groups.values()].flatMap((group) => group.map((candidate, turn) => ({ ...candidate, turn })))
    const drawn = turns.toSorted((one, other) => one.turn - other.turn || (one.lot < other.lot ? -1 : 1)).slice(0, this.#sample.size)
    const newest = drawn.map(({ run }) => run).toSorted((one, other) => (one.id > other.id ? -1 : 1))
    return page(newest, before, limit)
  }
}

/**
 * Applies `sample`, `before` and `limit` of a query, in this order, to the runs that match it.
 *
 * @param matching The newest first; `sample`, `before` and `limit` are not applied yet.
 */
export function takeMatching(matching: Iterable<RunSummary>, { sample, before, limit }: RunQuery): RunSummary[] {
  if (sample !== undefined) {
    const draw = new SampleDraw(sample)
    for (const run of matching) draw.add(run)
    return draw.page(before, limit)
  }
  return page([...matching], before, limit)
}

function page(runs: readonly RunSummary[], before: string | undefined, limit: number | undefined): RunSummary[] {
  return runs.filter(({ id }) => before === undefined || id < before).slice(0, limit)
}

/** @throws TypeError for a field that runs cannot be grouped by. */
function groupValue(run: RunSummary, field: string): string | undefined {
  if (field === 'agent' || field === 'agentVersion' || field === 'status') return run[field]
  if (field.startsWith('tag:')) return Object.hasOwn(run.tags, field.slice(4)) ? run.tags[field.slice(4)] : undefined
  throw new TypeError(`Runs are sampled by agent, agentVersion, status or tag:<name>, not by ${JSON.stringify(field)}.`)
}
