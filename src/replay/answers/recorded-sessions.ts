import { canonicalInput } from '../../divergence/canonical-input.ts'
import { blankStandIns } from '../../divergence/stand-ins.ts'
import { knownOrMade } from '../../trace/remember.ts'
import { type AnsweredSessions, type AnswerPlace, type Preamble, sessionSignal, type SessionSignal } from '../../run/sessions.ts'
import { askedHeaders, type AskedBy } from '../../run/processes.ts'
import type { Trace } from '../../trace/trace.ts'
import { isNamed } from '../calls/plan.ts'
import { FunctionInput, type ReplaySide } from '../calls/replayed-input.ts'

/** The answers to one request of the run's own sessions. */
interface Places {
  /** Which of the answers in the preambles the run received, in order. */
  readonly answers: Pick<SessionSignal, 'answer' | 'error'>[]
  /** How many of them have been released, and how often the replay has requested one. */
  released: number
  asked: number
  /** Callbacks of waiting requests, by how many requests came before them. */
  readonly waiting: Map<number, () => void>
}

/** The recorded sessions, which a replay may open again at any time. */
export class RecordedSessions implements AnsweredSessions {
  readonly #side: ReplaySide
  readonly #preambles: readonly Preamble[]
  readonly #places = new Map<string, Places>()
  /** Listeners by signal name. */
  readonly #hearing = new Map<string, (value: unknown) => void>()

  constructor({ rows }: Pick<Trace, 'rows'>, side: ReplaySide) {
    this.#side = side
    for (const row of rows) {
      if (row.kind !== 'signal' || row.name !== sessionSignal) continue
      const { request, ...answer } = row.value as SessionSignal
      this.#placesOf(request).answers.push(answer)
    }
    this.#preambles = rows.flatMap((row) => (row.kind === 'preamble' ? [row.value as Preamble] : []))
  }

  onSignal(name: string, hear: (value: unknown) => void): void {
    this.#hearing.set(name, hear)
  }

  inPlace(request: string): AnswerPlace | undefined {
    const places = this.#placesOf(request)
    const index = places.asked
    places.asked += 1
    const answer = places.answers[index]
    if (answer === undefined) return undefined
    if (index < places.released) return answer
    const giveBack = (): void => {
      places.waiting.delete(index)
      places.asked -= 1
    }
    return { ...answer, later: (give) => void places.waiting.set(index, give), giveBack }
  }

  /** A recorded signal is released. */
  signal(name: string, value: unknown): void {
    this.#hearing.get(name)?.(value)
    if (name !== sessionSignal) return
    const places = this.#placesOf((value as SessionSignal).request)
    places.waiting.get(places.released)?.()
    places.released += 1
  }

  #placesOf(request: string): Places {
    return knownOrMade(this.#places, request, () => ({ answers: [], released: 0, asked: 0, waiting: new Map() }))
  }

  /** The preambles of the sessions that this process opens. Stand-ins count as equal. */
  preamblesOf({ name, input }: Preamble['open']): readonly Preamble[] {
    if (this.#preambles.length === 0) return this.#preambles
    const { sides } = this.#side.redaction.renaming
    const started = new FunctionInput('external', name, asListed(input, this.#side.headers.askedBy), this.#side)
    return this.#preambles.filter(
      ({ open }) =>
        isNamed(open.name, name, sides) &&
        blankStandIns(canonicalInput('external', open.name, open.input, this.#side.rules), sides.recorded).text === started.blanked.text,
    )
  }
}

/** An opening as a trace of format 1 or 2 has it, with a few of the headers. */
function asListed(input: unknown, by: AskedBy): unknown {
  if (by.format >= 3 || typeof input !== 'object' || input === null || !('headers' in input)) return input
  const { headers, ...rest } = input
  const listed = askedHeaders(Object.entries(headers as Readonly<Record<string, string>>), by)
  return listed.length === 0 ? rest : { ...rest, headers: Object.fromEntries(listed) }
}
