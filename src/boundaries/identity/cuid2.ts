import { perOwner } from './per-owner.ts'

type Generate = () => string

/** What @paralleldrive/cuid2 2 and 3 export. */
export interface Cuid2Exports {
  readonly createId: Generate
  readonly init: (options?: object) => Generate
}

/** cuid2 draws a fingerprint and the start of a counter once; in a run they are drawn again. */
export function cuid2InRuns({ createId, init }: Cuid2Exports): Partial<Cuid2Exports> {
  return {
    createId: perOwner(createId, () => init()),
    init: (options) => perOwner(init(options), () => init(options)),
  }
}
