import { describeFunctionCall } from '../divergence/describe-call.ts'
import { cutText } from '../divergence/print-value.ts'
import type { MadeCall } from './expected-call.ts'

/** How many lines of a list are shown around the first marked one. */
const shown = 16

/** A numbered list, one line per item, some with a remark. For a long list, only the lines around the first remark. */
export function numberedList(lines: readonly string[], remarks: ReadonlyMap<number, string>, width: number): string {
  if (lines.length === 0) return '    nothing'
  const [first = 0] = remarks.keys()
  const start = Math.max(0, Math.min(first - shown / 2, lines.length - shown))
  const end = Math.min(lines.length, start + shown)
  const listed = lines.slice(start, end).map((line, index) => {
    const remark = remarks.get(start + index)
    const number = String(start + index + 1).padStart(5)
    const room = width - number.length - 2 - (remark === undefined ? 0 : remark.length + 4)
    return `${number}  ${cutText(line, room)}${remark === undefined ? '' : `  ← ${remark}`}`
  })
  const more = (count: number): string[] => (count > 0 ? [`       … ${count} more`] : [])
  return [...more(start), ...listed, ...more(lines.length - end)].join('\n')
}

/** Calls as printed. Calls that no wrapped tool ran are marked as asked for. */
export function describeCalls(calls: readonly (MadeCall & { readonly source?: 'ran' | 'asked' })[]): string[] {
  return calls.map(
    ({ name, args, source }) => `${describeFunctionCall(name, args)}${source === 'asked' ? ' (asked for, not run as a wrapped tool)' : ''}`,
  )
}

/** `1 time`, `2 times`. */
export function timesOf(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
