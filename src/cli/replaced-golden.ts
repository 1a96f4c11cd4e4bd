import { compareRuns, type Comparison } from '../replay/compare/compare-runs.ts'
import { inputText } from '../replay/traces/input-text.ts'
import { readTrace } from '../replay/traces/read-trace.ts'
import { GoldenrunError } from '../trace/errors/goldenrun-error.ts'
import type { Trace } from '../trace/trace.ts'
import { valueText } from './describe-step.ts'
import { formatStepPairs, stateOf } from './step-pairs.ts'
import type { Terminal } from './terminal.ts'
import { formatFields } from './transcript.ts'

/** What changes in a golden that a promotion replaces, as printed by `goldenrun promote --json`. */
export interface ReplacedGolden {
  /** The recording that it was promoted from. Absent if it cannot be read. */
  readonly promotedFrom?: string
  /** The inputs, if they differ. */
  readonly input?: { readonly was: unknown; readonly is: unknown }
  /** How many steps the runs have. */
  readonly steps?: { readonly was: number; readonly is: number }
  /** The steps of the old golden that are gone or made otherwise, and those of the new one that are new. */
  readonly changed?: { readonly was: readonly number[]; readonly is: readonly number[] }
  /** The steps of the old golden that have another answer now. */
  readonly answers?: readonly number[]
  /** Why the golden cannot be read. */
  readonly unreadable?: string
}

/** A replaced golden, and its comparison with the new one. */
export interface Replacement {
  readonly golden: ReplacedGolden
  readonly comparison?: Comparison
}

/** Compares a golden with the one that replaces it. A damaged golden is a reason to replace it. */
export async function compareReplaced(file: string, promoted: Trace): Promise<Replacement> {
  const old = await readTrace(file).catch((error: unknown) => {
    if (error instanceof GoldenrunError) return error
    throw error
  })
  if (old instanceof GoldenrunError) return { golden: { unreadable: old.message } }
  const comparison = await compareRuns(old, promoted)
  const { divergences, steps } = comparison
  const changed = steps.filter((pair) => stateOf(pair, comparison) !== 'equal')
  const answers = divergences.flatMap(({ cause, position, step }) => (cause === 'outcome' && position === 'at' ? [step] : []))
  const isOther = inputText(old) !== inputText(promoted)
  const golden: ReplacedGolden = {
    promotedFrom: old.header.golden?.promotedFrom ?? old.header.id,
    ...(isOther && { input: { was: old.header.input, is: promoted.header.input } }),
    steps: { was: old.steps.length, is: promoted.steps.length },
    changed: {
      was: changed.flatMap(({ a }) => (a === undefined || answers.includes(a.step) ? [] : [a.step])),
      is: changed.flatMap(({ a, b }) => (b === undefined || (a !== undefined && answers.includes(a.step)) ? [] : [b.step])),
    },
    answers,
  }
  return { golden, comparison }
}

/** Formats what changes for the terminal. */
export function formatReplaced({ golden, comparison }: Replacement, { colors, width }: Pick<Terminal, 'colors' | 'width'>): string[] {
  const { promotedFrom, input, steps, answers = [], unreadable } = golden
  if (unreadable !== undefined) return [colors.yellow(`Replaces a golden that cannot be read: ${unreadable}`)]
  const isSame = input === undefined && comparison?.divergences.length === 0
  if (isSame) return [`Replaces the golden promoted from ${promotedFrom}, with the same input, steps and answers.`]
  const fields = formatFields(
    [
      ['input was', input && valueText(input.was)],
      ['input is', input && valueText(input.is)],
      ['steps', steps && (steps.was === steps.is ? `${steps.is}` : `${steps.was}, now ${steps.is}`)],
      ['answers', answers.length === 0 ? undefined : `other ones at ${answers.length === 1 ? 'step' : 'steps'} ${answers.join(', ')}`],
    ],
    { colors, width },
  )
  const pairs = comparison === undefined || comparison.divergences.length === 0 ? [] : formatStepPairs(comparison, { colors, width })
  return [colors.bold(`Replaces the golden promoted from ${promotedFrom}`), ...fields, ...pairs]
}
