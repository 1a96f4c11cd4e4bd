import { canonical } from '../../trace/hash.ts'
import type { PageComparison, PageDivergence } from '../page-data.ts'
import { alignEntries, type EntryPair } from './align-entries.ts'
import type { Entry, ViewedRun } from './viewed-run.ts'

/** A line of the list: an entry of the run, or two aligned entries of both runs. */
export interface Line extends EntryPair {
  /** The name in a permalink. */
  readonly key: string
  readonly mark: 'none' | 'same' | 'differs' | 'again' | 'only left' | 'only right' | 'not run' | 'not reached'
  /** The divergences at this line. */
  readonly divergences: readonly PageDivergence[]
  /** Whether it is the first divergence. */
  readonly isFirst: boolean
  /** Whether it comes after the first divergence, and so may be a consequence of it. */
  readonly isAfter: boolean
  /** Whether the agent departed here from the recorded run of an incident. */
  readonly isDeparture: boolean
}

/** Returns the lines of one run. */
export function linesOf({ entries }: ViewedRun): Line[] {
  return entries.map((left) => ({ key: left.key, left, mark: 'none', divergences: [], isFirst: false, isAfter: false, isDeparture: false }))
}

/** Returns the lines of a run and of another run that it is compared with. */
export function linesOfBoth(left: ViewedRun, right: ViewedRun, comparison: PageComparison): Line[] {
  const { verdict, kind } = comparison
  const { divergences, drifted = [], departure } = verdict
  const [first] = divergences
  const pairs = alignEntries(left, right, comparison)
  // A stopped replay got no further.
  const isStopped = kind === 'replay' && right.trace.end === undefined
  const isAnswered = kind === 'replay' || right.trace.header.forkedFrom !== undefined
  const isOtherInput = kind === 'run' && canonical(left.trace.header.input) !== canonical(right.trace.header.input)
  const places = placesOf([...divergences, ...drifted], pairs)
  const departs = departure && placesOf([departure], pairs).get(departure)
  let isBehind = false
  return pairs.map((pair): Line => {
    const { left: a, right: b } = pair
    const found = [...places].flatMap(([divergence, at]) => (at.includes(pair) ? [divergence] : []))
    const isFirst = first !== undefined && !isBehind && found.includes(first)
    const isAfter = isBehind
    if (isFirst) isBehind = true
    const key = a?.key ?? `other-${b?.key ?? ''}`
    const isDeparture = departs?.includes(pair) === true
    const differs = found.length > 0 || (isOtherInput && a?.kind === 'input')
    const isAgain = verdict.status === 'repeated' && isFirst
    const mark = isAgain && a ? 'again' : markOf(a, b, differs, { isAnswered, isStopped: isAfter && isStopped })
    return { ...pair, key, mark, divergences: found, isFirst, isAfter, isDeparture }
  })
}

/** Returns the line at which a page opens: the first divergence, the call of an incident, or a repeated side effect; else the first line. */
export function startOf(lines: readonly Line[], { trace }: ViewedRun): string {
  const expect = trace.header.golden?.expect
  const at = expect?.replay === 'departs' ? expect.at : undefined
  const found =
    lines.find(({ isFirst }) => isFirst) ??
    lines.find(({ left }) => left?.kind === 'step' && (left.step.step.step === at || (at === undefined && left.step.repeats !== undefined)))
  return (found ?? lines[0])?.key ?? ''
}

function markOf(
  left: Entry | undefined,
  right: Entry | undefined,
  differs: boolean,
  { isAnswered, isStopped }: { readonly isAnswered: boolean; readonly isStopped: boolean },
): Line['mark'] {
  if (left === undefined) return 'only right'
  if (right !== undefined) return differs ? 'differs' : 'same'
  if (differs) return 'only left'
  // A tool that is answered does not run, so it makes no calls of its own.
  if (isAnswered && left.kind === 'step' && left.step.depth > 0) return 'not run'
  if (isStopped) return 'not reached'
  // A replay records no notes.
  return isAnswered && left.kind === 'note' ? 'none' : 'only left'
}

/** Returns the lines of each divergence. Calls that only the second run has are assigned in order, one to each divergence. */
function placesOf(divergences: readonly PageDivergence[], pairs: readonly EntryPair[]): Map<PageDivergence, readonly EntryPair[]> {
  const extras = pairs.filter(({ left, right }) => left === undefined && right?.kind === 'step')
  return new Map(
    divergences.map((divergence): [PageDivergence, readonly EntryPair[]] => {
      const { cause, position, name } = divergence
      if (position === 'at' || cause === 'checkpoint' || cause === 'outcome')
        return [divergence, pairs.filter((pair) => isAt(divergence, pair))]
      const taken = extras.findIndex(({ right }) => right?.kind === 'step' && right.step.step.name === name)
      return [divergence, taken === -1 ? [] : extras.splice(taken, 1)]
    }),
  )
}

function isAt({ cause, step, position, name }: PageDivergence, { left, right }: EntryPair): boolean {
  if (cause === 'outcome' && position === 'after') return left?.kind === 'outcome'
  if (cause === 'checkpoint') return [left, right].some((entry) => entry?.kind === 'checkpoint' && entry.checkpoint.row.name === name)
  return left?.kind === 'step' && left.step.step.step === step
}
