import { canonicalInput } from '../../divergence/canonical-input.ts'
import { blankStandIns } from '../../divergence/stand-ins.ts'
import type { AnsweredSessions, Preamble } from '../../run/sessions.ts'
import type { Trace } from '../../trace/trace.ts'
import { isNamed } from '../calls/plan.ts'
import { FunctionInput, type ReplaySide } from '../calls/replayed-input.ts'

/** The sessions of a recording, which a replay opens again at any time. */
export class RecordedSessions implements AnsweredSessions {
  readonly #side: ReplaySide
  readonly #preambles: readonly Preamble[]
  /** Who hears signals of these names. */
  readonly #hearing = new Map<string, (value: unknown) => void>()

  constructor({ rows }: Pick<Trace, 'rows'>, side: ReplaySide) {
    this.#side = side
    this.#preambles = rows.flatMap((row) => (row.kind === 'preamble' ? [row.value as Preamble] : []))
  }

  onSignal(name: string, hear: (value: unknown) => void): void {
    this.#hearing.set(name, hear)
  }

  /** A recorded signal is released. */
  signal(name: string, value: unknown): void {
    this.#hearing.get(name)?.(value)
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
