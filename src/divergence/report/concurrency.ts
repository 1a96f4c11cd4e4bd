import type { Step } from '../../trace/trace.ts'
import type { Divergence } from '../divergence.ts'
import type { ReportedRun } from './reported-run.ts'
import { stepNumbered } from './steps.ts'

/** The fields of a step that are needed here: its owner, and when it was called and settled. */
type Timed = Pick<Step, 'step' | 'owner' | 'name' | 'at' | 'settledAt'>

/** Explains a different order by a different number of concurrent calls. Undefined if the order has another reason. */
export function tellConcurrency({ trace, steps }: ReportedRun, { step: number, before }: Divergence): string | undefined {
  const together = groupOf(number, trace.steps)
  const [recorded, live] = [most(callsLike(number, trace.steps)), most(callsLike(number, steps))]
  const counts = `${live} at once, recorded ${recorded}`
  if (before !== undefined) return live > recorded ? `step ${number} no longer waits for step ${before}: ${counts}.` : undefined
  const late = stepNumbered(steps, number)
  const others = steps.filter((other) => together.some(({ step }) => step === other.step))
  const awaited = late && awaitedBy(late, others, live)
  if (awaited === undefined || live >= recorded) return undefined
  return `steps ${listOf(together)} ran at the same time; now step ${number} waits for step ${awaited.step}: ${counts}.`
}

/**
 * The step whose end allowed a step to start: the last one settled by then. If several settled in the same millisecond, the first that made
 * room, given the number of concurrent calls.
 */
function awaitedBy(late: Timed, others: readonly Timed[], atOnce: number): Timed | undefined {
  const ended = others.filter((other) => settled(other) <= late.at).toSorted((a, b) => settled(a) - settled(b))
  const called = others.filter((other) => other.step < late.step)
  const tied = ended.findIndex((other) => settled(other) === settled(ended.at(-1) ?? late))
  return ended[Math.max(tied, called.length - atOnce)]
}

/** The calls that a step's owner made with the step's name. */
function callsLike(number: number, steps: readonly Timed[]): readonly Timed[] {
  const step = steps.find((candidate) => candidate.step === number)
  return step === undefined ? [] : steps.filter(({ owner, name }) => owner === step.owner && name === step.name)
}

/** The highest number of concurrent calls. */
function most(steps: readonly Timed[]): number {
  return Math.max(0, ...steps.map(({ at }) => underWay(at, steps).length))
}

/** The largest group of concurrent calls of its kind that includes a step. */
function groupOf(number: number, steps: readonly Timed[]): readonly Timed[] {
  const calls = callsLike(number, steps)
  const groups = calls.map(({ at }) => underWay(at, calls)).filter((group) => group.some(({ step }) => step === number))
  return groups.reduce((largest, group) => (group.length > largest.length ? group : largest), [])
}

function underWay(at: number, steps: readonly Timed[]): readonly Timed[] {
  return steps.filter((other) => other.at <= at && at < settled(other))
}

/** `2–4` for consecutive steps, else `2, 4, 7`. */
function listOf(steps: readonly Timed[]): string {
  const numbers = steps.map(({ step }) => step).toSorted((a, b) => a - b)
  const [first = 0, last = 0] = [numbers[0], numbers.at(-1)]
  return last - first === numbers.length - 1 && numbers.length > 1 ? `${first}–${last}` : numbers.join(', ')
}

function settled({ settledAt = Infinity }: Timed): number {
  return settledAt
}
