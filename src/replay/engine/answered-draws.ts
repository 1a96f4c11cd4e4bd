import type { DrawKind, MadeDraw } from '../judge/draws/correspondence.ts'
import type { PlannedReads } from '../calls/plan.ts'
import { type Draw, type DrawnKinds, type RecordedDraws, recordedDraws } from '../calls/recorded-draws.ts'
import { knownOrMade } from '../../trace/remember.ts'
import type { Fact } from '../../trace/rows.ts'
import { copyValue } from '../../trace/values.ts'
import { createSeededRandom, type SeededRandom } from './seeded-random.ts'
import type { Progress } from './virtual-timers.ts'

/** How to answer draws that the recording does not have. */
export interface ExtraDraws {
  readonly seed: string
  /** How far clock reads are ahead of virtual time, in milliseconds. */
  readonly ahead: number
}

/** Logs draws, and returns them. */
interface DrawLog {
  drew<Kind extends keyof DrawnKinds>(kind: Kind, owner: number, value: DrawnKinds[Kind]): DrawnKinds[Kind]
}

/**
 * Answers a replay's reads of the clock and random sources from queues by owner and kind, and logs them. Owners are call numbers of this
 * replay.
 */
export class AnsweredDraws {
  /** The draws so far. */
  readonly made: MadeDraw[] = []
  /** How many reads the recording does not have. */
  extra = 0
  readonly #recorded: ReadonlyMap<number, RecordedDraws>
  /** By owner and kind. Each fact has its own queue, so that an additional read of one does not shift the others. */
  readonly #queues = new Map<number, Map<string, DrawQueue>>()
  readonly #random: SeededRandom
  readonly #startedAt: number
  readonly #ahead: number
  readonly #progress: Progress
  readonly #log: DrawLog
  readonly #counts: Record<DrawKind, number> = { clock: 0, random: 0, uuid: 0, bytes: 0 }
  /** The last answer for each fact, by name. */
  readonly #facts = new Map<string, Fact>()
  #lastClock: number
  /** How far the last recorded read is ahead of virtual time, in milliseconds. */
  #skew = 0
  #lastMonotonic = 0
  #extraTick = -1
  #extraCount = 0

  /** @param startedAt When the recorded run started, in milliseconds since the epoch. */
  constructor(reads: readonly PlannedReads[], startedAt: number, { seed, ahead }: ExtraDraws, progress: Progress, log: DrawLog) {
    this.#recorded = recordedDraws(reads, startedAt)
    this.#random = createSeededRandom(seed)
    this.#startedAt = startedAt + ahead
    this.#ahead = ahead
    this.#lastClock = startedAt
    this.#progress = progress
    this.#log = log
  }

  clock(owner: number): number {
    const now = this.#startedAt + this.#progress.now()
    const recorded = this.#take('clock', owner)
    // A busy process reads its clock later than its rows say. Reads that the recording does not have keep that distance.
    if (recorded !== undefined) this.#skew = Math.max(0, recorded + this.#ahead - now)
    this.#lastClock = recorded ?? Math.max(this.#lastClock, Math.floor(now + this.#skew)) + this.#spin()
    return this.#drew('clock', owner, this.#lastClock)
  }

  monotonic(owner: number): number {
    const now = Math.floor(this.#progress.now() * 1000)
    this.#lastMonotonic = this.#take('monotonic', owner) ?? Math.max(this.#lastMonotonic, now) + this.#spin() * 1000
    return this.#log.drew('monotonic', owner, this.#lastMonotonic)
  }

  random(owner: number): number {
    return this.#drew('random', owner, this.#take('random', owner) ?? this.#drawMore().double())
  }

  uuid(owner: number): string {
    return this.#drew('uuid', owner, this.#take('uuid', owner) ?? this.#drawMore().uuid())
  }

  bytes(owner: number, size: number): Uint8Array {
    const value = this.#take('bytes', owner)
    return this.#drew('bytes', owner, value?.length === size ? value : this.#drawMore().bytes(size))
  }

  /** @param real Returns this machine's value, for a fact that the recording does not have at all. */
  fact(owner: number, name: string, real: () => unknown): unknown {
    const known = this.#take('facts', owner, name) ?? this.#facts.get(name) ?? this.#firstFact(name)
    if (known === undefined) {
      this.extra += 1
      return this.#log.drew('facts', owner, { name, value: real() }).value
    }
    this.#facts.set(name, known)
    return this.#log.drew('facts', owner, { name, value: copyValue(known.value) }).value
  }

  /** The recorded run's first answer for a fact, whoever the owner. */
  #firstFact(name: string): Fact | undefined {
    for (const { facts } of this.#recorded.values()) {
      const first = facts.find(({ value }) => value.name === name)
      if (first !== undefined) return first.value
    }
    return undefined
  }

  /** @param fact The name of a fact. */
  #take<Kind extends keyof DrawnKinds>(kind: Kind, owner: number, fact?: string): DrawnKinds[Kind] | undefined {
    const recorded = this.#progress.recordedOwner(owner)
    const queues = knownOrMade(this.#queues, recorded, () => new Map<string, DrawQueue>())
    const queue = knownOrMade(queues, fact === undefined ? kind : `fact ${fact}`, () => {
      const draws: readonly Draw<unknown>[] = this.#recorded.get(recorded)?.[kind] ?? []
      return new DrawQueue(fact === undefined ? draws : draws.filter(({ value }) => (value as Fact).name === fact))
    })
    return queue.take(this.#progress.tick()) as DrawnKinds[Kind] | undefined
  }

  #drew<Kind extends DrawKind>(kind: Kind, owner: number, value: DrawnKinds[Kind]): DrawnKinds[Kind] {
    const { tick, calls, recordedOwner } = this.#progress
    this.#counts[kind] += 1
    this.made.push({ kind, order: this.#counts[kind], owner: recordedOwner(owner), tick: tick(), calls: calls().length, value })
    return this.#log.drew(kind, owner, value)
  }

  /**
   * Ensures that a loop that waits for a deadline ends: after a thousand reads in one tick, each read is a millisecond later, and the step
   * doubles with each further thousand. A deadline of an hour is reached within 13,000 reads.
   */
  #spin(): number {
    this.extra += 1
    const tick = this.#progress.tick()
    if (this.#extraTick !== tick) {
      this.#extraTick = tick
      this.#extraCount = 0
    }
    this.#extraCount += 1
    const thousands = Math.floor(this.#extraCount / 1000)
    return thousands === 0 ? 0 : 2 ** Math.min(thousands - 1, 20)
  }

  #drawMore(): SeededRandom {
    this.extra += 1
    return this.#random
  }
}

class DrawQueue {
  readonly #draws: readonly Draw<unknown>[]
  #head = 0

  constructor(draws: readonly Draw<unknown>[]) {
    this.#draws = draws
  }

  /**
   * Returns the next draw for a read made in `tick`; undefined for a read that the recording does not have. Queues are aligned by ticks, so
   * that an added or removed read does not shift the others.
   */
  take(tick: number): unknown {
    // Skips older draws if the tick has its own. If it has none, the read is late, not new.
    const index = this.#firstOf(tick) ?? this.#head
    const draw = this.#draws[index]
    if (draw === undefined || draw.tick > tick) return undefined
    this.#head = index + 1
    return draw.value
  }

  /** The index of the first draw of a tick that has not been taken. */
  #firstOf(tick: number): number | undefined {
    for (let index = this.#head; index < this.#draws.length; index += 1) {
      const draw = this.#draws[index]
      if (draw === undefined || draw.tick > tick) return undefined
      if (draw.tick === tick) return index
    }
    return undefined
  }
}
