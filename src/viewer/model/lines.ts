import type { PageComparison, PageDivergence } from '../page-data.ts'
import type { Entry, ViewedRun } from './viewed-run.ts'

/** A line of the list: an entry of the run, or two aligned ones of both runs. */
export interface Line {
  /** What a permalink names. */
  readonly key: string
  readonly left?: Entry
  readonly right?: Entry
  readonly mark: 'none' | 'same' | 'differs' | 'only left' | 'only right' | 'not run' | 'not reached'
  /** The divergences that are found here. */
  readonly divergences: readonly PageDivergence[]
  /** Whether it is the first divergence. */
  readonly isFirst: boolean
  /** Whether it comes after the first divergence: it may follow from it. */
  readonly isAfter: boolean
  /** Whether the agent departed from the recorded run of an incident here. */
  readonly isDeparture: boolean
}

/** The lines of one run. */
export function linesOf({ entries }: ViewedRun): Line[] {
  return entries.map((left) => ({ key: left.key, left, mark: 'none', divergences: [], isFirst: false, isAfter: false, isDeparture: false }))
}

/** The lines of a run and of another one that it is compared with. */
export function linesOfBoth(left: ViewedRun, right: ViewedRun, comparison: PageComparison): Line[] {
  const { verdict, kind } = comparison
  const [first] = verdict.divergences
  const partners = partnersOf(left, right, comparison)
  // A replay that was stopped did not get further than this.
  const isStopped = kind === 'replay' && right.trace.end === undefined
  const places = placesOf(verdict.divergences, partners)
  let isBehind = false
  return partners.map((pair): Line => {
    const { left: a, right: b } = pair
    const found = verdict.divergences.filter((divergence) => places.get(divergence)?.includes(pair) === true)
    const isFirst = first !== undefined && !isBehind && found.includes(first)
    const isAfter = isBehind
    if (isFirst) isBehind = true
    const key = a?.key ?? `other-${b?.key ?? ''}`
    const isDeparture = a?.kind === 'step' && a.step.step.step === verdict.departure
    const mark = markOf(a, b, found, { isReplay: kind === 'replay', isStopped: isAfter && isStopped })
    return { key, ...toPair(a, b), mark, divergences: found, isFirst, isAfter, isDeparture }
  })
}

function markOf(
  left: Entry | undefined,
  right: Entry | undefined,
  found: readonly PageDivergence[],
  { isReplay, isStopped }: { readonly isReplay: boolean; readonly isStopped: boolean },
): Line['mark'] {
  if (left === undefined) return 'only right'
  if (right !== undefined) return found.length > 0 ? 'differs' : 'same'
  if (found.length > 0) return 'only left'
  // What a tool did when it was recorded, it does not do in a replay, which answers it.
  if (isReplay && left.kind === 'step' && left.step.depth > 0) return 'not run'
  return isStopped ? 'not reached' : 'only left'
}

/** Where each divergence is found. Calls that only the second run has are taken in their order: each by one divergence. */
function placesOf(divergences: readonly PageDivergence[], pairs: readonly Pair[]): Map<PageDivergence, readonly Pair[]> {
  const extras = pairs.filter(({ left, right }) => left === undefined && right?.kind === 'step')
  return new Map(
    divergences.map((divergence): [PageDivergence, readonly Pair[]] => {
      const { cause, position, name } = divergence
      if (position === 'at' || cause === 'checkpoint' || cause === 'outcome')
        return [divergence, pairs.filter((pair) => isAt(divergence, pair))]
      const taken = extras.findIndex(({ right }) => right?.kind === 'step' && right.step.step.name === name)
      return [divergence, taken === -1 ? [] : extras.splice(taken, 1)]
    }),
  )
}

function isAt({ cause, step, position, name }: PageDivergence, { left, right }: Pair): boolean {
  if (cause === 'outcome' && position === 'after') return left?.kind === 'outcome'
  if (cause === 'checkpoint') return [left, right].some((entry) => entry?.kind === 'checkpoint' && entry.checkpoint.row.name === name)
  return left?.kind === 'step' && left.step.step.step === step
}

type Pair = Pick<Line, 'left' | 'right'>

function partnersOf(left: ViewedRun, right: ViewedRun, { pairs }: PageComparison): Pair[] {
  const stepsOf = (run: ViewedRun): Map<number, Entry> =>
    new Map(run.entries.flatMap((entry) => (entry.kind === 'step' ? [[entry.step.step.step, entry] as const] : [])))
  const [lefts, rights] = [stepsOf(left), stepsOf(right)]
  const rightOf = new Map(pairs.flatMap(([a, b]) => (a === null || b === null ? [] : [[a, b] as const])))
  const extras = extrasAfter(pairs)
  const others = checkpointsByName(right)
  const lines: Pair[] = []
  const addExtras = (after: number): void => {
    for (const step of extras.get(after) ?? []) lines.push(toPair(undefined, rights.get(step)))
    extras.delete(after)
  }
  for (const entry of left.entries) {
    if (entry.kind === 'step') {
      const number = entry.step.step.step
      lines.push(toPair(lefts.get(number), rights.get(rightOf.get(number) ?? -1)))
      addExtras(number)
      continue
    }
    if (entry.kind === 'outcome')
      for (const list of others.values()) for (const extra of list.splice(0)) lines.push(toPair(undefined, extra))
    lines.push(toPair(entry, partnerOf(entry, right, others)))
    if (entry.kind === 'input') addExtras(0)
  }
  return lines
}

function toPair(left: Entry | undefined, right: Entry | undefined): Pair {
  return { ...(left && { left }), ...(right && { right }) }
}

function partnerOf(entry: Entry, right: ViewedRun, others: Map<string, Entry[]>): Entry | undefined {
  if (entry.kind === 'checkpoint') return others.get(entry.checkpoint.row.name)?.shift()
  // A replay that was stopped has no outcome to compare.
  if (entry.kind === 'outcome' && right.trace.end === undefined) return undefined
  return right.entries.find(({ kind, key }) => kind === entry.kind && key === entry.key)
}

function checkpointsByName({ entries }: ViewedRun): Map<string, Entry[]> {
  const named = new Map<string, Entry[]>()
  for (const entry of entries) {
    if (entry.kind !== 'checkpoint') continue
    const { name } = entry.checkpoint.row
    named.set(name, [...(named.get(name) ?? []), entry])
  }
  return named
}

/** The steps that only the second run has, by the step of the first that they come after. */
function extrasAfter(pairs: PageComparison['pairs']): Map<number, number[]> {
  const extras = new Map<number, number[]>()
  let last = 0
  for (const [a, b] of pairs) {
    if (a !== null) last = a
    else if (b !== null) extras.set(last, [...(extras.get(last) ?? []), b])
  }
  return extras
}
