/**
 * The three names nearest to a given one, the nearest first: names that contain it or are contained in it, then by Levenshtein distance.
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
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [row, character] of from.split('').entries()) {
    const current = [row + 1]
    for (let column = 1; column <= to.length; column++) {
      const changed = at(last, column - 1) + (character === to[column - 1] ? 0 : 1)
      current.push(Math.min(changed, at(last, column) + 1, at(current, column - 1) + 1))
    }
    last = current
  }
  return at(last, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
