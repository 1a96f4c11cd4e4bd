/**
 * The three names that come nearest to a wanted one, the nearest first: those that hold it or are held by it, then by the number of
 * characters to change (optimal string alignment, which counts two swapped neighbours as one change).
 */
export function nearestNames(wanted: string, names: readonly string[]): string[] {
  const ranked = [...new Set(names)].map((name) => ({
    name,
    holds: name.includes(wanted) || wanted.includes(name),
    distance: distance(wanted, name),
  }))
  ranked.sort((a, b) => Number(b.holds) - Number(a.holds) || a.distance - b.distance || (a.name < b.name ? -1 : 1))
  return ranked.slice(0, 3).map(({ name }) => name)
}

function distance(from: string, to: string): number {
  let [beforeLast, last]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const cost = from[row - 1] === to[column - 1] ? 0 : 1
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + cost,
        isSwap ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[beforeLast, last] = [last, current]
  }
  return at(last, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
