import picocolors from 'picocolors'
import type { GoldenResult } from '../golden-result.ts'

const { bold, dim, green, red, yellow } = picocolors

const colors: readonly (readonly [GoldenResult['status'], (text: string) => string])[] = [
  ['not held', red],
  ['repeated', red],
  ['not exercised', red],
  ['failed', red],
  ['could not run', red],
  ['rebased', yellow],
  ['recorded', yellow],
  ['held', green],
]

/** How many goldens came to what, in the words and the place of Vitest's own summary. */
export function summaryLine(results: readonly GoldenResult[]): string {
  const counts = colors.flatMap(([status, color]) => {
    const { length } = results.filter((result) => result.status === status)
    return length === 0 ? [] : [bold(color(`${length} ${status}`))]
  })
  return `${dim('     Goldens ')} ${counts.join(dim(' | '))}${dim(` (${results.length})`)}`
}
