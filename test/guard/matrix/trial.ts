import { allWays } from '../all-ways.ts'
import type { Way, World } from '../way.ts'

/** A way that an agent takes, in one of two manners. */
export interface Trial {
  /** As its golden is called. */
  readonly id: string
  readonly group: string
  readonly way: Way
  /** Whether the agent waits for what comes of it, or goes on at once and ends a few turns later. */
  readonly waits: boolean
}

/** What a process that takes ways is told: the world of each trial, and whom to tell that all is there that was to be opened before. */
export interface Told {
  readonly worlds: Readonly<Record<string, World>>
  readonly control: string
}

/** All trials, in an order that never changes. */
export function listTrials(): Trial[] {
  const ways = Object.entries(allWays).flatMap(([group, list]) => list.map((way) => ({ group, way })))
  return ways.flatMap(({ group, way }, index) =>
    (isQuery(way) ? [true] : [true, false]).map((waits) => ({
      id: `way-${String(index + 1).padStart(3, '0')}${waits ? '' : '-left'}`,
      group,
      way,
      waits,
    })),
  )
}

/** There are many of them, and all are answered by a callback. */
function isQuery({ needs }: Way): boolean {
  return needs?.includes('dns') === true
}
