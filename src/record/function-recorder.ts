import stableStringify from 'fast-json-stable-stringify'
import type { FunctionCall } from '../run/active-run.ts'
import { omitUndefined } from '../trace/json.ts'
import type { CallRow, Settled } from '../trace/rows.ts'
import { copyValue } from '../trace/values.ts'
import { announcedCall } from './journal/announced-call.ts'
import type { RowRecorder } from './row-recorder.ts'

/** Writes the rows of one call of a tool or an external. */
export class FunctionRecorder {
  readonly #run: RowRecorder
  readonly call: CallRow
  /** The unredacted input of a call from which other runs are answered. */
  readonly #input: unknown
  readonly #isInTurn: () => boolean
  readonly #keep: (output: unknown) => unknown

  /** Writes the `call` row. The row of a side effect is written before the function runs. */
  constructor(run: RowRecorder, step: number, { owner, boundary, name, effect, idempotencyKey, limit, input, result }: FunctionCall) {
    this.#run = run
    this.#keep = (output) => (result === undefined ? output : result.keep(output))
    this.#isInTurn = run.ticks.mark()
    this.#input = run.ambient.isNamed({ boundary, name }) ? copyValue(input) : undefined
    this.call = {
      kind: 'call',
      step,
      owner,
      boundary,
      name,
      ...omitUndefined({ effect, idempotencyKey, limit }),
      input: run.keep(input, `${name} input`),
      at: run.at(),
    }
    run.push(this.call)
    run.sideEffects.calls(step, owner, effect)
    if (effect !== 'write') return
    run.sideEffects.makes(step, name, idempotencyKey ?? stableStringify(this.call.input))
    run.announce(announcedCall(this.call))
  }

  /** @param sync Whether the function returned or threw synchronously. */
  settle(outcome: Settled, sync: boolean): void {
    const { step, boundary, name } = this.call
    const run = this.#run
    const kept =
      'error' in outcome
        ? ({ kind: 'throw', error: run.keepError(outcome.error, `step ${step} error`) } as const)
        : ({ kind: 'return', output: run.keepOutput(this.#keep(outcome.output), `step ${step} output`) } as const)
    if ('output' in outcome && run.ambient.isNamed({ boundary, name }))
      run.ambient.keep({ boundary, name, input: this.#input, output: copyValue(this.#keep(outcome.output)) }, run)
    if ('error' in outcome) run.sideEffects.throws(step)
    const mark = sync ? ({ sync: true } as const) : { ...run.ticks.complete(), ...(this.#isInTurn() && { inTurn: true as const }) }
    run.push({ ...kept, step, at: run.at(), ...mark })
  }
}
