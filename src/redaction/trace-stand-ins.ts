import { variablesIn } from '../node/variables.ts'
import { knownOrMade } from '../trace/remember.ts'
import type { Row } from '../trace/rows.ts'
import type { Trace } from '../trace/trace.ts'
import { ListedStandIns } from './listed-stand-ins.ts'
import { ShapedStandIns } from './shaped-stand-ins.ts'
import type { StandIns } from './stand-in.ts'
import { listsStandIns, standInRows } from './stand-in-rows.ts'

/**
 * Returns stand-ins for a redactor that goes on where a trace ends: it makes more of them.
 *
 * @param numbersFrom For a trace that lists none: returns the highest number among its stand-ins, called when it is needed. Default: 0.
 */
export function redactorStandIns({ header, rows }: Pick<Trace, 'header' | 'rows'>, numbersFrom?: () => number): StandIns {
  return listsStandIns(header) ? new ListedStandIns(standInRows(rows), variablesIn) : new ShapedStandIns(numbersFrom)
}

const known = new WeakMap<readonly Row[], StandIns>()

/** Returns the stand-ins of a trace, to find them. */
export function standInsOf({ header, rows }: Pick<Trace, 'header' | 'rows'>): Pick<StandIns, 'find' | 'last' | 'rewrite' | 'variablesOf'> {
  return knownOrMade(known, rows, () => redactorStandIns({ header, rows }))
}
