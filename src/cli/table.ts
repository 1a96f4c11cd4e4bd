import { printable } from '../trace/printable.ts'

/** Rows under a header, in columns two spaces apart; the columns named in `right` are aligned at their right. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[], right: readonly string[] = []): string[] {
  const lines = [header, ...rows].map((cells) => cells.map(printable))
  const widths = header.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)))
  const align = header.map((title) => (right.includes(title) ? 'padStart' : 'padEnd'))
  return lines.map((cells) =>
    cells
      .map((cell, column) => cell[align[column] ?? 'padEnd'](widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
