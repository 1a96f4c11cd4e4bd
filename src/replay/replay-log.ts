import { ReadPacker } from '../record/keep/read-packer.ts'
import { ReadBuffer } from '../record/read-buffer.ts'
import { toRecordedError } from '../trace/recorded-error.ts'
import type { CompletionRow, InTick, ReturnRow, Row, ThrowRow } from '../trace/rows.ts'
import type { Delivery, LiveCall } from './live-call.ts'
import type { LiveCheckpoint } from './live-calls.ts'
import type { VirtualTimer } from './virtual-timers.ts'

/** A row of which only the numbers of its step and owner are still to be found: what a call is may be known later than that it was made. */
type Entry = (names: Names) => Row

/** What calls are known by once all of them are known. */
export interface Names {
  /** The number of the step that a call is. */
  numberOf(call: LiveCall): number
  /** The same, by the number of the call. */
  ownerOf(call: number): number
  /** What a call was made with. */
  inputOf(call: LiveCall): unknown
}

/** A draw from clock or chance, packed only when a trace is made of the log: most replays are made into none. */
interface Draw {
  readonly kind: keyof DrawnKinds
  readonly owner: number
  readonly value: DrawnKinds[keyof DrawnKinds]
}

/** What can be drawn. */
interface DrawnKinds {
  readonly clock: number
  readonly monotonic: number
  readonly random: number
  readonly uuid: string
  readonly bytes: Uint8Array
}

/** What a replay did, in the order in which it did it: what a trace of it is made of. */
export class ReplayLog {
  readonly #startedAt: number
  readonly #now: () => number
  readonly #isOver: () => boolean
  readonly #entries: (Entry | Draw)[] = []
  #ticks = 0
  #lastIsCompletion = false

  /**
   * @param startedAt Of the trace, in milliseconds since the epoch.
   * @param now Virtual milliseconds since the run started.
   * @param isOver Whether the replay was stopped: what an agent does that will not have it is not what the run did.
   */
  constructor(startedAt: number, now: () => number, isOver: () => boolean) {
    this.#startedAt = startedAt
    this.#now = now
    this.#isOver = isOver
  }

  /** How many ticks the replay has seen. */
  get ticks(): number {
    return this.#ticks
  }

  /** The same delivery, which tells the log of all that it hands out. */
  follow(delivery: Delivery): Delivery {
    let handed: CompletionRow | undefined
    let followed: LiveCall | undefined
    return {
      attach: (call, onSettled) => {
        followed = call
        delivery.attach(call, () => {
          if (call.state !== 'settled') this.#settled(call, handed)
          onSettled()
        })
      },
      row: (row) => {
        handed = row
        if ((row.kind === 'head' || row.kind === 'chunk') && followed?.state === 'open') this.#handed(followed, row)
        delivery.row(row)
        handed = undefined
      },
      answer: (value) => delivery.answer(value),
      refuse: (error) => delivery.refuse(error),
    }
  }

  called(call: LiveCall): void {
    const { boundary, name, effect, idempotencyKey, at } = call
    const given = { ...(effect === undefined ? {} : { effect }), ...(idempotencyKey === undefined ? {} : { idempotencyKey }) }
    this.#add(({ numberOf, inputOf }) => ({
      kind: 'call',
      step: numberOf(call),
      owner: call.owner === undefined ? 0 : numberOf(call.owner),
      boundary,
      name,
      ...given,
      input: inputOf(call),
      at,
    }))
  }

  /** A value that was drawn by the call of this number, which is given back. */
  drew<Kind extends keyof DrawnKinds>(kind: Kind, owner: number, value: DrawnKinds[Kind]): DrawnKinds[Kind] {
    this.#entries.push({ kind, owner, value })
    return value
  }

  checkpoint(checkpoint: LiveCheckpoint): void {
    this.#add(() => ({ kind: 'checkpoint', ...checkpoint }))
  }

  fired({ owner, set, delay, occurrence }: VirtualTimer): void {
    const row = { kind: 'timer', set, delay, ...(occurrence > 1 && { occurrence }), at: this.#now(), ...this.#complete() } as const
    this.#add(({ ownerOf }) => ({ ...row, owner: ownerOf(owner) }), true)
  }

  signal(name: string, value: unknown): void {
    const row = { kind: 'signal', name, ...(value === undefined ? {} : { value }), at: this.#now(), ...this.#complete() } as const
    this.#add(() => row, true)
  }

  contact(where: string): void {
    const at = this.#now()
    this.#add(() => ({ kind: 'note', what: 'unrecorded-contact', where, at }))
  }

  /** The rows of the replay but for the first and the last. */
  rows(names: Names): Row[] {
    const reads = new ReadBuffer()
    const packer = new ReadPacker(this.#startedAt)
    const drawn = (): Row[] => reads.take().map((draws) => ({ ...packer.toRow(draws), owner: names.ownerOf(draws.owner) }))
    const rows = this.#entries.flatMap((entry) => {
      if (typeof entry === 'function') return [...drawn(), entry(names)]
      reads[entry.kind](entry.owner, entry.value as never)
      return []
    })
    return [...rows, ...drawn()]
  }

  #handed(call: LiveCall, row: CompletionRow): void {
    const at = this.#now()
    const inTick = this.#complete(row)
    this.#add(({ numberOf }) => ({ ...withoutTick(row), step: numberOf(call), at, ...inTick }) as Row, true)
  }

  #settled(call: LiveCall, handed: CompletionRow | undefined): void {
    if (handed?.kind === 'return' || handed?.kind === 'throw') return this.#handed(call, handed)
    const at = this.#now()
    const settling = settlingOf(call)
    const inTick = this.#complete()
    this.#add(({ numberOf }) => ({ ...settling, step: numberOf(call), at, ...inTick }), true)
  }

  /** Whether a completion falls in one tick with the one before: it did when it was recorded, and nothing came between. */
  #complete(row?: InTick): InTick {
    const isTogether = this.#lastIsCompletion && row?.sameTick === true
    if (!isTogether) this.#ticks += 1
    if (isTogether) return { sameTick: true }
    return row?.sameTick === true || row?.sameTurn === true ? { sameTurn: true } : {}
  }

  #add(entry: Entry, isCompletion = false): void {
    if (this.#isOver()) return
    this.#entries.push(entry)
    this.#lastIsCompletion = isCompletion
  }
}

/** How a call settled that was not handed a recorded settling. */
function settlingOf({ outcome, planned }: LiveCall): Omit<ReturnRow, 'step' | 'at'> | Omit<ThrowRow, 'step' | 'at'> {
  const sync = planned?.settled?.sync === true ? { sync: true as const } : {}
  if (outcome === undefined) return { kind: 'return', by: 'agent' }
  return 'error' in outcome
    ? { kind: 'throw', error: toRecordedError(outcome.error), ...sync }
    : { kind: 'return', output: outcome.output, ...sync }
}

function withoutTick({ sameTick: _tick, sameTurn: _turn, ...row }: CompletionRow): Omit<CompletionRow, keyof InTick> {
  return row
}
