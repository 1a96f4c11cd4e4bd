import { printable } from '../trace/printable.ts'

/** Formats rows under a header, in columns two spaces apart. The columns named in `right` are right-aligned. */
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
