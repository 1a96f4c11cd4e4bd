import { InvalidArgumentError } from 'commander'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { Trace } from '../trace/trace.ts'
import { count } from './units.ts'

/** A range of steps, both ends included. */
export interface StepRange {
  readonly from: number
  readonly to: number
}

/** Parses `--steps 3-12`. */
export function parseSteps(text: string): StepRange {
  const [, from, to] = /^(\d{1,9})(?:-|\.\.)(\d{1,9})$/.exec(text) ?? []
  const range = { from: Number(from), to: Number(to) }
  if (range.from >= 1 && range.to >= range.from) return range
  throw new InvalidArgumentError('It has to be two steps, the earlier first: 3-12.')
}

/** @throws GoldenrunError `GOLDENRUN_NO_STEP` if a trace has none of these steps. */
export function checkSteps({ steps, header }: Trace, { from, to }: StepRange): void {
  if (steps.some(({ step }) => step >= from && step <= to)) return
  const wanted = from === to ? `step ${from}` : `step from ${from} to ${to}`
  throw new GoldenrunError(
    'GOLDENRUN_NO_STEP',
    `There is no ${wanted} in "${header.golden?.name ?? header.id}": it has ${count(steps.length, 'step')}.`,
  )
}
