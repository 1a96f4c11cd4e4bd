import { perOwner } from './per-owner.ts'

type Generate = (seedTime?: number) => string

/** What ulid 2 and 3 export. */
export interface UlidExports {
  readonly monotonicFactory: (random?: () => number) => Generate
}

/** `monotonicFactory` continues from its last id; in a run it starts again. (`ulid()` itself has no state.) */
export function ulidInRuns({ monotonicFactory }: UlidExports): Partial<UlidExports> {
  return { monotonicFactory: (random) => perOwner(monotonicFactory(random), () => monotonicFactory(random)) }
}
