import { processWide } from '../../node/process-wide.ts'
import { cuid2InRuns } from './cuid2.ts'
import { nanoidInRuns } from './nanoid.ts'
import { ulidInRuns } from './ulid.ts'
import { uuidInRuns } from './uuid.ts'

type Exports = Readonly<Record<string, unknown>>

/** A library that keeps entropy or a counter at module level. */
export interface IdLibrary {
  /** The names of its replaced exports. */
  readonly names: readonly string[]
  /** Creates the replaced exports: functions that keep no state from before the run in which they are called. */
  readonly inRuns: (exports: Exports) => Exports
}

/** The libraries, by the name of their package. */
export const idLibraries: ReadonlyMap<string, IdLibrary> = processWide(
  'id-libraries',
  () =>
    new Map([
      ['nanoid', library(['nanoid', 'customAlphabet', 'random'], nanoidInRuns)],
      ['uuid', library(['v1', 'v4', 'v6', 'v7'], uuidInRuns)],
      ['ulid', library(['monotonicFactory'], ulidInRuns)],
      ['@paralleldrive/cuid2', library(['createId', 'init'], cuid2InRuns)],
    ]),
)

function library(names: readonly string[], inRuns: (exports: never) => object): IdLibrary {
  // A package of that name is assumed to have the documented exports.
  return { names, inRuns: (exports) => ({ ...inRuns(exports as never) }) }
}
