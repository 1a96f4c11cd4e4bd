/** A room of `src/`, and what it must not import in addition to what the order of the list forbids. */
export interface Room {
  /** The folder, below `src/`. */
  readonly name: string
  /** Rooms further up the list that it must not import. */
  readonly not?: readonly string[]
  /** Runs in a browser: no `node:` module, and none of Node's globals. */
  readonly isForBrowsers?: true
}

/**
 * The rooms in the order of ARCHITECTURE.md: each may import only those above it. Between the rooms inside `replay`, types may be imported in any direction;
 * everything else follows the list.
 */
export const rooms: readonly Room[] = [
  { name: 'trace', isForBrowsers: true },
  { name: 'models', isForBrowsers: true },
  { name: 'node' },
  { name: 'http' },
  { name: 'redaction' },
  { name: 'run', not: ['redaction'] },
  { name: 'boundaries', not: ['redaction'] },
  { name: 'stores' },
  { name: 'fleet', not: ['http', 'redaction', 'boundaries'] },
  { name: 'record' },
  { name: 'divergence' },
  { name: 'viewer', isForBrowsers: true, not: ['node', 'http', 'run', 'boundaries', 'stores', 'record'] },
  { name: 'replay/contract' },
  { name: 'replay/traces' },
  { name: 'replay/calls' },
  { name: 'replay/engine' },
  { name: 'replay/answers' },
  { name: 'replay/judge' },
  { name: 'replay/compare' },
  { name: 'replay/result' },
  { name: 'replay' },
  { name: 'replay/goldens' },
  { name: 'matchers' },
  { name: 'config' },
  { name: 'travel' },
  { name: 'goldens' },
  { name: 'otel', not: ['divergence', 'replay', 'matchers', 'config', 'goldens'] },
  { name: 'vitest', not: ['otel'] },
  { name: 'jest', not: ['otel', 'vitest'] },
  { name: 'cli', not: ['otel'] },
]

/** Returns the innermost room of a file of `src/`; undefined for the entries and for a folder that is not a room. */
export function roomOf(file: string): Room | undefined {
  const folder = file.split('/').slice(1, -1)
  for (let depth = folder.length; depth > 0; depth -= 1) {
    const room = rooms.find(({ name }) => name === folder.slice(0, depth).join('/'))
    if (room !== undefined) return room
  }
  return undefined
}

/** Returns why a file of one room must not import a file of another; undefined if it may. */
export function refusal(from: Room, to: Room, isType: boolean): string | undefined {
  if (from === to) return undefined
  const [outer, outerOfTarget] = [from, to].map(({ name }) => name.split('/', 1)[0])
  if (outer === outerOfTarget && isType) return undefined
  if (rooms.indexOf(to) > rooms.indexOf(from)) return `${to.name} is below ${from.name} in the list of rooms`
  return from.not?.includes(outerOfTarget ?? '') ? `${from.name} must not know ${to.name}` : undefined
}
