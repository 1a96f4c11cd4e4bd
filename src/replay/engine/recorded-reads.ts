import type { PlannedReads } from '../calls/plan.ts'
import { type Draw, noDraws, type RecordedDraws, recordedDraws } from '../calls/recorded-draws.ts'
import { createSeededRandom, type SeededRandom } from './seeded-random.ts'

/** The draws of an owner by kind, as a replay takes them. */
class Draws {
  readonly clock: DrawQueue<number>
  readonly monotonic: DrawQueue<number>
  readonly random: DrawQueue<number>
  readonly uuid: DrawQueue<string>
  readonly bytes: DrawQueue<Uint8Array>

  constructor({ clock, monotonic, random, uuid, bytes }: RecordedDraws) {
    this.clock = new DrawQueue(clock)
    this.monotonic = new DrawQueue(monotonic)
    this.random = new DrawQueue(random)
    this.uuid = new DrawQueue(uuid)
    this.bytes = new DrawQueue(bytes)
  }
}

class DrawQueue<Value> {
  readonly #draws: readonly Draw<Value>[]
  #head = 0

  constructor(draws: readonly Draw<Value>[]) {
    this.#draws = draws
  }

  /**
   * The next draw for a read made in `tick`: queues are aligned by ticks, so that a read that was added or removed shifts no other.
   * Undefined for a read that the recording does not have.
   */
  take(tick: number): Value | undefined {
    // Older ones are skipped if the tick has its own. If it has none, the read is late, not new.
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

/** Answers the reads of a replay: queues by owner and kind. */
export class RecordedReads {
  readonly #owners = new Map<number, Draws>()
  readonly #extra: SeededRandom
  readonly #startedAt: number
  #lastClock: number
  #lastMonotonic = 0
  #extraTick = -1
  #extraCount = 0
  /** How many reads the recording does not have. */
  extra = 0

  /**
   * @param startedAt When the recorded run started, in milliseconds since the epoch.
   * @param ahead How far additional clock reads are ahead of virtual time, in milliseconds. Default: 0.
   */
  constructor(reads: readonly PlannedReads[], startedAt: number, seed: string, ahead = 0) {
    this.#startedAt = startedAt + ahead
    this.#lastClock = startedAt
    this.#extra = createSeededRandom(seed)
    for (const [owner, draws] of recordedDraws(reads, startedAt)) this.#owners.set(owner, new Draws(draws))
  }

  /** @param now Virtual milliseconds since the run started. */
  clock(owner: number, tick: number, now: number): number {
    const value = this.#drawsOf(owner).clock.take(tick)
    this.#lastClock = value ?? Math.max(this.#lastClock, Math.floor(this.#startedAt + now)) + this.#spin(tick)
    return this.#lastClock
  }

  monotonic(owner: number, tick: number, now: number): number {
    const value = this.#drawsOf(owner).monotonic.take(tick)
    this.#lastMonotonic = value ?? Math.max(this.#lastMonotonic, Math.floor(now * 1000)) + this.#spin(tick) * 1000
    return this.#lastMonotonic
  }

  random(owner: number, tick: number): number {
    return this.#drawsOf(owner).random.take(tick) ?? this.#drawMore().double()
  }

  uuid(owner: number, tick: number): string {
    return this.#drawsOf(owner).uuid.take(tick) ?? this.#drawMore().uuid()
  }

  bytes(owner: number, tick: number, size: number): Uint8Array {
    const value = this.#drawsOf(owner).bytes.take(tick)
    return value?.length === size ? value : this.#drawMore().bytes(size)
  }

  /**
   * A loop that waits for a deadline has to end: after a thousand reads in one tick, each is a millisecond later, and with each thousand more the
   * step doubles. A deadline of an hour is reached within 13,000 reads.
   */
  #spin(tick: number): number {
    this.extra += 1
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
    return this.#extra
  }

  #drawsOf(owner: number): Draws {
    let draws = this.#owners.get(owner)
    if (draws === undefined) {
      draws = new Draws(noDraws)
      this.#owners.set(owner, draws)
    }
    return draws
  }
}
