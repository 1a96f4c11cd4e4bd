import type { CheckpointRow, EndRow, NoteRow, Row, SignalRow } from '../trace/rows.ts'
import type { Step, Trace } from '../trace/trace.ts'
import type { StepRange } from './steps-option.ts'

/** An item of a transcript: a step, something between steps, or folded steps. */
export type TranscriptItem =
  | { readonly kind: 'step'; readonly step: Step }
  | { readonly kind: 'aside'; readonly row: CheckpointRow | SignalRow | NoteRow | EndRow }
  | { readonly kind: 'fold'; readonly steps: readonly Step[] }

/** Runs with more items are folded. */
const longRun = 60

/** The number of items that are shown at the start and at the end. */
const shownAtEnds = 20

/** Lists what happened in a run, in order. */
export function listItems({ rows, steps }: Trace): TranscriptItem[] {
  const byNumber = new Map(steps.map((step) => [step.step, step]))
  const isFollowed = rows.slice(rows.findLastIndex(({ kind }) => kind === 'end')).some(({ kind }) => kind === 'call')
  return rows.flatMap((row: Row): TranscriptItem[] => {
    if (row.kind === 'checkpoint' || row.kind === 'signal' || row.kind === 'note') return [{ kind: 'aside', row }]
    if (row.kind === 'end' && isFollowed) return [{ kind: 'aside', row }]
    const step = row.kind === 'call' ? byNumber.get(row.step) : undefined
    return step === undefined ? [] : [{ kind: 'step', step }]
  })
}

/** Returns the steps of a range, with the items between them. */
export function pickItems(items: readonly TranscriptItem[], { from, to }: StepRange): TranscriptItem[] {
  const isIn = (item: TranscriptItem): boolean => item.kind === 'step' && item.step.step >= from && item.step.step <= to
  return items.slice(items.findIndex(isIn), items.findLastIndex(isIn) + 1)
}

/** Folds the middle of a long run; errors and the recorder's notes stay visible. */
export function foldItems(items: readonly TranscriptItem[]): TranscriptItem[] {
  if (items.filter(({ kind }) => kind === 'step').length <= longRun) return [...items]
  const folded: TranscriptItem[] = items.slice(0, shownAtEnds)
  let steps: Step[] = []
  const close = (): void => {
    if (steps.length > 0) folded.push({ kind: 'fold', steps })
    steps = []
  }
  for (const item of items.slice(shownAtEnds, -shownAtEnds)) {
    if (item.kind === 'step' && item.step.error === undefined) {
      steps.push(item.step)
    } else if (item.kind === 'step' || (item.kind === 'aside' && item.row.kind === 'note')) {
      close()
      folded.push(item)
    }
  }
  close()
  return [...folded, ...items.slice(-shownAtEnds)]
}
