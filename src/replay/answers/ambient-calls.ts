import { canonicalInput } from '../../divergence/canonical-input.ts'
import type { PathRules } from '../../divergence/path-rules.ts'
import { type StandInRenaming, blankStandIns } from '../../divergence/stand-ins.ts'
import { isSessionStep } from '../../trace/assemble.ts'
import type { CallRow, HttpOutput } from '../../trace/rows.ts'
import { type AmbientAnswer, ambientSignal } from '../../trace/run-row.ts'
import type { Step, Trace } from '../../trace/trace.ts'
import { copyValue, toRecorded } from '../../trace/values.ts'
import { wholeBody } from './http-delivery.ts'
import type { ReplayCall } from '../calls/replay-call.ts'
import { realTimers } from '../../node/real-timers.ts'
import type { AnswerSink, AnsweredExchange, AnsweredRun } from '../../run/active-run.ts'
import { runOutside } from '../../run/scope.ts'

/**
 * Answers calls that a process makes once for many runs. In production they were made in an earlier run or in this one; a test may make them
 * at any time. So they are never missing and never unexpected.
 */
export class AmbientCalls {
  readonly #names: ReadonlySet<string>
  readonly #rules: PathRules
  /** Steps that represent the process of a session. */
  readonly #sessions: ReadonlySet<number>
  /** The latest first. */
  readonly #answers: readonly AmbientAnswer[]
  readonly #renaming: StandInRenaming

  /** @param names Hosts, and names of tools and externals, in addition to those that were passed when the trace was recorded. */
  constructor({ header, steps, rows }: Trace, names: readonly string[], rules: PathRules, renaming: StandInRenaming) {
    this.#rules = rules
    this.#sessions = new Set(steps.filter(isSessionStep).map(({ step }) => step))
    this.#renaming = renaming
    this.#names = new Set([...(header.ambient?.names ?? []), ...names])
    const made = steps.filter((step) => this.#names.has(step.name) && isAnswered(step)).map(toAnswer)
    const heard = rows.flatMap((row) => (row.kind === 'signal' && row.name === ambientSignal ? [row.value as AmbientAnswer] : []))
    this.#answers = [...(header.ambient?.answers ?? []), ...heard, ...made].toReversed()
  }

  /** Whether a recorded call may be made any number of times. This includes the process of a session, which is started once for many runs. */
  leavesOut({ step, name }: Pick<CallRow, 'step' | 'name'>): boolean {
    return this.includes(name) || this.#sessions.has(step)
  }

  includes(name: string): boolean {
    return this.#names.has(name)
  }

  /** The latest answer to an equal call, else to any call of its name; undefined if there is none. */
  answerTo(call: ReplayCall): { readonly value: unknown } | undefined {
    const known = this.#answers.filter(({ boundary, name }) => boundary === call.boundary && name === call.name)
    const equal = known.find(({ boundary, name, input }) => {
      const { text, numbers } = blankStandIns(canonicalInput(boundary, name, toRecorded(input), this.#rules))
      const replayed = call.input?.blanked
      return replayed?.text === text && this.#renaming.pairsFor(numbers, replayed.numbers) !== undefined
    })
    const answer = equal ?? known[0]
    if (answer === undefined) return undefined
    if (call.boundary === 'tool' || call.boundary === 'external') return { value: copyValue(answer.output) }
    const { status = 200, headers = [], ...body } = answer.output as HttpOutput
    return { value: { status, headers, body: wholeBody(body) } }
  }
}

function toAnswer({ boundary, name, input, output }: Step): AmbientAnswer {
  return { boundary, name, input, output }
}

/** A function that returned undefined has still answered. */
function isAnswered({ boundary, output, error, settledAt }: Step): boolean {
  const isFunction = boundary === 'tool' || boundary === 'external'
  return output !== undefined || (isFunction && error === undefined && settledAt !== undefined)
}

/** A run that answers some calls itself. */
interface AnsweringRun extends Pick<AnsweredRun, 'busy'> {
  readonly conductor: { goRound(): void }
}

/** Answers with success and an empty body: telemetry goes nowhere in a replay. */
export function answerMuted(run: AnsweringRun, sink: AnswerSink): AnsweredExchange {
  return answerInNextTurn(run, () => {
    sink.head(200, [])
    sink.end()
  })
}

/** Answers without the conductor, in the next turn of the event loop. */
export function answerInNextTurn(run: AnsweringRun, answer: () => void): AnsweredExchange {
  const release = run.busy()
  run.conductor.goRound()
  const handle = runOutside(() =>
    realTimers.setImmediate(() => {
      release()
      answer()
    }),
  )
  return {
    stop: () => {
      release()
      clearImmediate(handle)
    },
  }
}
