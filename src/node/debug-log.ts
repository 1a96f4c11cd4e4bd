import { printable } from '../trace/printable.ts'

/** What decisions are logged about: which call is which step, what the recorder keeps and takes out, what is released when. */
export type DebugArea = 'match' | 'record' | 'conductor'

/** Logs a line; the text is only computed if it is logged. */
export type DebugLog = (line: () => string) => void

/**
 * The log of an area, on standard error, with a line per decision; undefined if `NODE_DEBUG` does not enable it. `NODE_DEBUG=goldenrun` asks for all
 * areas, `NODE_DEBUG=goldenrun:match` for one; names are separated by commas, `*` stands for anything.
 * Source: the form of NODE_DEBUG is that of Node's `util.debuglog`.
 */
export function debugLog(area: DebugArea): DebugLog | undefined {
  const name = `goldenrun:${area}`
  if (!asked.some((pattern) => pattern.test('goldenrun') || pattern.test(name))) return undefined
  return (line) => void write(`${name} ${process.pid}: ${printable(line())}\n`)
}

/** Read once, because a replay has its own environment. */
const asked = (process.env['NODE_DEBUG'] ?? '')
  .split(',')
  .map((name) => name.trim())
  .filter((name) => name !== '')
  .map(toPattern)

/** A test may replace the stream's `write`. */
const write = process.stderr.write.bind(process.stderr)

function toPattern(name: string): RegExp {
  return new RegExp(`^${name.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 'i')
}
