import { SequentialTest } from '../statistics.ts'
import type { VerifySample, VerifyVerdict } from './verification.ts'

/** Returns the verdict of samples taken one after another, and the number of samples that decided it. */
export function decide(
  samples: readonly Pick<VerifySample, 'result'>[],
  options: { readonly atLeast: number; readonly margin?: number | undefined },
): { readonly verdict: VerifyVerdict; readonly decidedBy: number } {
  const { atLeast, margin } = options
  const test = new SequentialTest({ atLeast, ...(margin !== undefined && { margin }) })
  for (const [index, { result }] of samples.entries()) {
    if (result !== 'undecided') test.add(result === 'passed')
    if (test.verdict !== 'undecided') return { verdict: test.verdict, decidedBy: index + 1 }
  }
  return { verdict: 'undecided', decidedBy: samples.length }
}
