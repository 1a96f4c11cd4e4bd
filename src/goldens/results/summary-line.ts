import picocolors from 'picocolors'
import { statuses } from './gather.ts'
import type { GoldenResult } from './golden-result.ts'

const { bold, dim, green, red, yellow } = picocolors

const colors: Readonly<Partial<Record<GoldenResult['status'], (text: string) => string>>> = {
  rebased: yellow,
  recorded: yellow,
  held: green,
}

/** The counts of goldens by status, in the style of the runner's own summary. @param title As wide as the runner's. */
export function summaryLine(title: string, goldens: readonly GoldenResult[]): string {
  const counts = statuses.flatMap((status) => {
    const { length } = goldens.filter((golden) => golden.status === status)
    return length === 0 ? [] : [bold((colors[status] ?? red)(`${length} ${status}`))]
  })
  return `${title} ${counts.join(dim(' | '))}${dim(` (${goldens.length})`)}`
}
