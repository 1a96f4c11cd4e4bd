import type { Row } from '../trace/rows.ts'
import type { StandInRow } from '../trace/stand-in-row.ts'
import type { RunRow } from '../trace/run-row.ts'
import type { StandIns } from './stand-in.ts'

/** Returns whether the rows of a trace list its stand-ins. They do since format 3. */
export function listsStandIns({ format, redaction }: Pick<RunRow, 'format' | 'redaction'>): boolean {
  return format >= 3 && redaction.shaped !== true
}

/** Returns the rows that list stand-ins. */
export function standInRows(rows: readonly Row[]): StandInRow[] {
  return rows.filter((row) => row.kind === 'stand-in')
}

/** Returns rows with a list of stand-ins, behind the header. */
export function withStandIns([header, ...rows]: readonly Row[], standIns: Pick<StandIns, 'rows'>): Row[] {
  return [...(header === undefined ? [] : [header]), ...standIns.rows, ...rows.filter(({ kind }) => kind !== 'stand-in')]
}
