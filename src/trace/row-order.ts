import type { RowFault } from './trace-check.ts'
import { isInformational } from './http-head.ts'
import type { Row } from './rows.ts'

/** Checks the rows of a trace in order, from the first, and returns the fault of a row that is out of place. The content of a text row does not matter. */
export function createRowOrder(): (row: Row | { readonly kind: 'text' }) => RowFault | undefined {
  let rows = 0
  let format = 0
  let last: 'end' | 'closed' | undefined
  const steps = new Map<number, StepState>()

  const checkOwner = (owner: number, row: string): RowFault | undefined =>
    owner === 0 || steps.has(owner)
      ? undefined
      : { problem: `the owner of ${row} is step ${owner}, which has no earlier call row`, field: 'owner' }

  const checkStep = (row: Row & { step: number }): RowFault | undefined => {
    const state = steps.get(row.step)
    if (state === undefined)
      return { problem: `a ${row.kind} row belongs to step ${row.step}, which has no earlier call row`, field: 'step' }
    if (state.settled) return { problem: `a ${row.kind} row belongs to step ${row.step}, which has already settled`, field: 'step' }
    if (row.kind === 'head') {
      if (state.answering) return { problem: `step ${row.step} already has a head row`, field: 'step' }
      state.answering = !isInformational(row.status)
    }
    if (row.kind === 'return' || row.kind === 'throw') state.settled = true
    return undefined
  }

  return (row) => {
    rows++
    if (rows === 1 && row.kind !== 'run') return { problem: `the first row has to be the run row, got a ${row.kind} row`, field: 'kind' }
    if (last !== undefined && !mayFollow(row, last, format))
      return { problem: `there is a ${row.kind} row after the ${last} row`, field: 'kind' }
    switch (row.kind) {
      case 'run':
        format = row.format
        return rows === 1 ? undefined : { problem: 'there is a second run row', field: 'kind' }
      case 'call':
        if (steps.has(row.step)) return { problem: `there is a second call row of step ${row.step}`, field: 'step' }
        steps.set(row.step, { settled: false, answering: false })
        return row.owner === row.step
          ? { problem: `step ${row.step} is its own owner`, field: 'owner' }
          : checkOwner(row.owner, `step ${row.step}`)
      case 'head':
      case 'chunk':
      case 'return':
      case 'throw':
        return checkStep(row)
      case 'reads':
      case 'timer':
      case 'checkpoint':
        return checkOwner(row.owner, `a ${row.kind} row`)
      case 'end':
      case 'closed':
        last = row.kind
        return undefined
      case 'text':
      case 'signal':
      case 'preamble':
      case 'stand-in':
      case 'note':
        return undefined
    }
  }
}

/** Since format 2, rows of work that the run left behind follow its end. Only notes follow the last row. */
function mayFollow({ kind }: { readonly kind: string }, last: 'end' | 'closed', format: number): boolean {
  return kind === 'note' || (format >= 2 && last === 'end' && kind !== 'end')
}

interface StepState {
  settled: boolean
  answering: boolean
}
