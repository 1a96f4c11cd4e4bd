import type { PageComparison } from '../page-data.ts'
import type { Entry, ViewedRun } from './viewed-run.ts'

/** Two aligned entries, or one that only one of the runs has. */
export interface EntryPair {
  readonly left?: Entry
  readonly right?: Entry
}

/** Aligns the entries of two runs, in the order of the first. Entries that only the second run has are placed where they happened in it. */
export function alignEntries(left: ViewedRun, right: ViewedRun, { pairs }: PageComparison): EntryPair[] {
  const partners = partnersOf(left, right, pairs)
  const extras = extrasOf(right, new Set(partners.values()))
  const lines: EntryPair[] = []
  let waiting: readonly Entry[] = []
  let depth = 0
  const place = (): void => {
    lines.push(...waiting.map((entry) => ({ right: entry })))
    waiting = []
  }
  for (const entry of left.entries) {
    const partner = partners.get(entry)
    // Entries in the body of a tool stay with the tool.
    if (partner !== undefined || depthOf(entry) <= depth) place()
    lines.push({ left: entry, ...(partner && { right: partner }) })
    const behind = partner && extras.get(partner)
    if (behind !== undefined) [waiting, depth] = [behind, depthOf(entry)]
  }
  place()
  return lines
}

function depthOf(entry: Entry): number {
  return entry.kind === 'step' ? entry.step.depth : 0
}

function partnersOf(left: ViewedRun, right: ViewedRun, pairs: PageComparison['pairs']): Map<Entry, Entry> {
  const steps = new Map(pairs.map(([a, b]) => [a, b]))
  const others = Map.groupBy(right.entries, (entry) => keyOf(entry))
  const partners = new Map<Entry, Entry>()
  for (const entry of left.entries) {
    // A stopped replay has no outcome to compare.
    if (entry.kind === 'outcome' && right.trace.end === undefined) continue
    const key = entry.kind === 'step' ? `step ${steps.get(entry.step.step.step) ?? ''}` : keyOf(entry)
    const partner = others.get(key)?.shift()
    if (partner !== undefined) partners.set(entry, partner)
  }
  return partners
}

/** Checkpoints are aligned by name, notes by content. */
function keyOf(entry: Entry): string {
  switch (entry.kind) {
    case 'step':
      return `step ${entry.step.step.step}`
    case 'checkpoint':
      return `checkpoint ${entry.checkpoint.row.name}`
    case 'note':
      return `note ${entry.note.what}`
    default:
      return entry.kind
  }
}

/** Returns the entries that only the second run has, by the aligned entry before them. */
function extrasOf({ entries }: ViewedRun, paired: ReadonlySet<Entry>): Map<Entry, Entry[]> {
  const extras = new Map<Entry, Entry[]>()
  let last: Entry[] = []
  for (const entry of entries) {
    if (paired.has(entry)) extras.set(entry, (last = []))
    else if (entry.kind !== 'outcome') last.push(entry)
  }
  return extras
}
