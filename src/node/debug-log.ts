import { printable } from '../trace/printable.ts'

/** The areas whose decisions are logged: which call is which step, what the recorder keeps and redacts, what is released when. */
export type DebugArea = 'match' | 'record' | 'conductor'

/** Logs a line; the text is only computed if it is logged. */
export type DebugLog = (line: () => string) => void

/**
 * Returns the log of an area, which writes a line per decision to standard error; undefined if `NODE_DEBUG` does not enable it.
 * `NODE_DEBUG=goldenrun` enables all areas, `NODE_DEBUG=goldenrun:match` one; names are separated by commas, `*` matches anything.
 * Source: the form of NODE_DEBUG is that of Node's `util.debuglog`.
 */
export function debugLog(area: DebugArea): DebugLog | undefined {
  const name = `goldenrun:${area}`
  if (!asked.some((pattern) => pattern.test('goldenrun') || pattern.test(name))) return undefined
  return (line) => void write(`${name} ${process.pid}: ${printable(line())}\n`)
}

/** Read once, because a replay has a separate environment. */
const asked = (process.env['NODE_DEBUG'] ?? '')
  .split(',')
  .map((name) => name.trim())
  .filter((name) => name !== '')
  .map(toPattern)

/** Bound now, because a test may replace the stream's `write`. */
const write = process.stderr.write.bind(process.stderr)

function toPattern(name: string): RegExp {
  return new RegExp(`^${name.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 'i')
}
