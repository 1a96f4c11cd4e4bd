import { unpackDoubles } from '../../trace/codec/reads-codec.ts'
import type { ReadsRow } from '../../trace/rows.ts'
import type { Trace } from '../../trace/trace.ts'

/** The values read from one source, in order. */
export interface Drawn {
  readonly source: 'clock' | 'monotonic clock' | 'Math.random()' | 'UUID' | 'random bytes' | 'the machine'
  readonly values: readonly string[]
}

/** The key of the reads after the last step. */
export const AFTER_STEPS = -1

/** Returns the values read before each step, or in its body, by step. */
export function readsOf({ header, rows }: Trace): Map<number, Drawn[]> {
  const found = new Map<number, Drawn[]>()
  let waiting: Drawn[] = []
  const clocks = { clock: Date.parse(header.startedAt), monotonic: 0 }
  const add = (step: number, drawn: readonly Drawn[]): void => void found.set(step, [...(found.get(step) ?? []), ...drawn])
  for (const row of rows) {
    if (row.kind === 'reads') {
      const drawn = drawnIn(row, clocks)
      if (row.owner === 0) waiting.push(...drawn)
      else add(row.owner, drawn)
    }
    if (row.kind !== 'call' || row.owner !== 0 || waiting.length === 0) continue
    add(row.step, waiting)
    waiting = []
  }
  if (waiting.length > 0) add(AFTER_STEPS, waiting)
  return found
}

/** Returns the values of a row. Its clock values are differences from the reads before. */
function drawnIn(row: ReadsRow, clocks: { clock: number; monotonic: number }): Drawn[] {
  const { clock = [], monotonic = [], uuid = [], bytes = [], facts = [] } = row
  const times = clock.map((difference) => new Date((clocks.clock += difference)).toISOString())
  const instants = monotonic.map((difference) => `${((clocks.monotonic += difference) / 1000).toFixed(3)} ms`)
  const drawn: Drawn[] = [
    { source: 'clock', values: times },
    { source: 'monotonic clock', values: instants },
    { source: 'Math.random()', values: unpackDoubles(row).map(String) },
    { source: 'UUID', values: uuid },
    { source: 'random bytes', values: bytes.map(toHex) },
    { source: 'the machine', values: facts.map(({ name, value }) => `${name}() = ${JSON.stringify(value)}`) },
  ]
  return drawn.filter(({ values }) => values.length > 0)
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
