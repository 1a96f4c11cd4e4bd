import { cutText } from '../divergence/print-value.ts'
import type { Comparison } from '../replay/compare/compare-runs.ts'
import type { StepPair } from '../replay/compare/pair-steps.ts'
import type { Step } from '../trace/trace.ts'
import { callText, resultText } from './describe-step.ts'
import type { Terminal } from './terminal.ts'
import { count } from './units.ts'

/** Whether a step is the same in both runs, differs, or is in only one of them. */
export type PairState = 'equal' | 'differs' | 'only-a' | 'only-b'

/** The maximum number of lines shown for one side; further lines are counted. */
const shown = 20

/** Returns the state of two paired steps. */
export function stateOf({ a, b }: StepPair, { divergences }: Comparison): PairState {
  if (b === undefined) return 'only-a'
  if (a === undefined) return 'only-b'
  return divergences.some(({ step, position }) => step === a.step && position === 'at') ? 'differs' : 'equal'
}

/** Formats the steps of two runs in the style of a patch, with equal steps folded. */
export function formatStepPairs(comparison: Comparison, { colors, width }: Pick<Terminal, 'colors' | 'width'>): string[] {
  const lines: string[] = []
  let equal: StepPair[] = []
  let more = 0
  const fold = (): void => {
    const [first, last] = [equal[0]?.a?.step, equal.at(-1)?.a?.step]
    if (first !== undefined)
      lines.push(colors.dim(`  ${(first === last ? `${first}` : `${first}-${last}`).padEnd(8)}${count(equal.length, 'equal step')}`))
    equal = []
  }
  for (const pair of comparison.steps) {
    if (stateOf(pair, comparison) === 'equal') {
      equal.push(pair)
      continue
    }
    if (lines.length >= shown) {
      more += 1
      continue
    }
    fold()
    if (pair.a !== undefined) lines.push(colors.green(formatStep('-', pair.a, width)))
    if (pair.b !== undefined) lines.push(colors.red(formatStep('+', pair.b, width)))
  }
  if (more > 0) return [...lines, colors.dim(`  and ${count(more, 'more step')} that differ`)]
  fold()
  return lines
}

function formatStep(sign: string, step: Step, width: number): string {
  return cutText(`${sign} ${String(step.step).padEnd(8)}${step.boundary.padEnd(8)}  ${callText(step)} → ${resultText(step)}`, width)
}
