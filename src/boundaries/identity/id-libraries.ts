import { processWide } from '../../node/process-wide.ts'
import { uuidInRuns } from './uuid.ts'
import { perOwner } from './per-owner.ts'
import { currentScope } from '../../run/scope.ts'
import { draw } from './draw.ts'

type Exports = Readonly<Record<string, unknown>>

/** A library that keeps entropy or a counter at module level. */
export interface IdLibrary {
  /** The names of the exports that are replaced. */
  readonly names: readonly string[]
  /** Creates the replacements: functions that keep no state from before the run in which they are called. */
  readonly inRuns: (exports: Exports) => Exports
}

/** The libraries, by package name. */
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

/** The exports of @paralleldrive/cuid2 2 and 3. */
type Cuid2Exports = Pick<typeof import('@paralleldrive/cuid2'), 'createId' | 'init'>

/** cuid2 draws a fingerprint and a start for its counter once; in a run they are drawn again. */
function cuid2InRuns({ createId, init }: Cuid2Exports): Partial<Cuid2Exports> {
  return {
    createId: perOwner(createId, () => init()),
    init: (options) => perOwner(init(options), () => init(options)),
  }
}

/** The exports of ulid 2 and 3. */
type UlidExports = Pick<typeof import('ulid'), 'monotonicFactory'>

/** `monotonicFactory` continues from its last id; in a run it starts again. (`ulid()` itself has no state.) */
function ulidInRuns({ monotonicFactory }: UlidExports): Partial<UlidExports> {
  return { monotonicFactory: (random) => perOwner(monotonicFactory(random), () => monotonicFactory(random)) }
}

type GenerateSized = (size?: number) => string

/** The exports of nanoid 3 to 6. */
interface NanoidExports {
  readonly nanoid: GenerateSized
  readonly customAlphabet: (alphabet: string, size?: number) => GenerateSized
  readonly customRandom: (alphabet: string, size: number, random: (size: number) => Uint8Array) => GenerateSized
  readonly random: (size: number) => Uint8Array
  readonly urlAlphabet: string
}

/** nanoid keeps a pool of random bytes for later ids; in a run the bytes are drawn for each id. */
export function nanoidInRuns({ nanoid, customAlphabet, customRandom, random, urlAlphabet }: NanoidExports): Partial<NanoidExports> {
  const inRun = (pooled: GenerateSized, alphabet: string, defaultSize: number): GenerateSized => {
    const drawn = customRandom(alphabet, defaultSize, draw)
    // nanoid itself refuses an invalid size.
    return (size = defaultSize) => (currentScope() !== undefined && size > 0 ? drawn(size) : pooled(size))
  }
  return {
    nanoid: inRun(nanoid, urlAlphabet, 21),
    customAlphabet: (alphabet, size = 21) => inRun(customAlphabet(alphabet, size), alphabet, size),
    random: (size) => (currentScope() !== undefined && size > 0 ? draw(size) : random(size)),
  }
}
