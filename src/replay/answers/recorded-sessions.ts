import { canonicalInput } from '../../divergence/canonical-input.ts'
import { blankStandIns } from '../../divergence/stand-ins.ts'
import { type AnsweredSessions, type Preamble, sessionSignal } from '../../run/sessions.ts'
import type { Trace } from '../../trace/trace.ts'
import { isNamed } from '../calls/plan.ts'
import { FunctionInput, type ReplaySide } from '../calls/replayed-input.ts'

/** The answers of one request of the run's own sessions. */
interface Places {
  /** How many there are in the recording, and how many of these have been released. */
  recorded: number
  released: number
  /** Who has asked in the replay. */
  readonly asked: (() => void)[]
}

/** The sessions of a recording, which a replay opens again at any time. */
export class RecordedSessions implements AnsweredSessions {
  readonly #side: ReplaySide
  readonly #preambles: readonly Preamble[]
  readonly #places = new Map<string, Places>()
  /** Who hears signals of these names. */
  readonly #hearing = new Map<string, (value: unknown) => void>()

  constructor({ rows }: Pick<Trace, 'rows'>, side: ReplaySide) {
    this.#side = side
    for (const row of rows) if (row.kind === 'signal' && row.name === sessionSignal) this.#placesOf(String(row.value)).recorded += 1
    this.#preambles = rows.flatMap((row) => (row.kind === 'preamble' ? [row.value as Preamble] : []))
  }

  onSignal(name: string, hear: (value: unknown) => void): void {
    this.#hearing.set(name, hear)
  }

  inPlace(request: string, answer: () => void): boolean {
    const { recorded, released, asked } = this.#placesOf(request)
    asked.push(answer)
    return asked.length <= recorded && asked.length > released
  }

  /** A recorded signal is released. */
  signal(name: string, value: unknown): void {
    this.#hearing.get(name)?.(value)
    if (name !== sessionSignal) return
    const places = this.#placesOf(String(value))
    places.asked[places.released]?.()
    places.released += 1
  }

  #placesOf(request: string): Places {
    const places = this.#places.get(request) ?? { recorded: 0, released: 0, asked: [] }
    this.#places.set(request, places)
    return places
  }

  /** What is known of sessions that are opened by such a process. Stand-ins are equal. */
  preamblesOf({ name, input }: Preamble['open']): readonly Preamble[] {
    if (this.#preambles.length === 0) return this.#preambles
    const started = new FunctionInput('external', name, input, this.#side)
    return this.#preambles.filter(
      ({ open }) =>
        isNamed(open.name, name) &&
        blankStandIns(canonicalInput('external', open.name, open.input, this.#side.rules)).text === started.blanked.text,
    )
  }
}
