import type { Step } from '../../trace/trace.ts'
import type { Divergence, FieldDifference } from '../divergence.ts'
import { resultTexts } from '../step-result.ts'
import type { ReportedRun } from './reported-run.ts'

/** A key or an id: long, without spaces, and no time. */
const id = /^[\w-]{16,}$/

/** Says of which other step a differing key or id is: one that is used again, or no longer. Empty if it is of none. */
export function tellKeys({ trace, steps }: ReportedRun, { cause, step: number, differences }: Divergence): string {
  if (cause !== 'input') return ''
  const numbers = new Set(trace.steps.map(({ step }) => step))
  const made = [...steps.filter(({ step }) => numbers.has(step)), ...trace.steps]
  const told = differences.map(({ path, expected, received }) => {
    const [recorded, live] = [stepWith(expected, trace.steps, number), stepWith(received, made, number)]
    if (recorded?.step === live?.step) return undefined
    const own = (step: Step | undefined): string => (step === undefined ? 'a new one' : `that of step ${step.step}`)
    return ` The ${path} is ${own(live)}; in the recorded run it was ${own(recorded)}.`
  })
  return told.find((sentence) => sentence !== undefined) ?? ''
}

/** The first step before another one, or else after it, whose input has an id as one of its texts. */
function stepWith(value: unknown, steps: readonly Step[], number: number): Step | undefined {
  if (typeof value !== 'string' || !id.test(value)) return undefined
  const having = steps.filter(({ step, input }) => step !== number && hasText(input, value))
  return having.find(({ step }) => step < number) ?? having[0]
}

function hasText(value: unknown, text: string): boolean {
  if (typeof value === 'string') return value === text
  return typeof value === 'object' && value !== null && Object.values(value).some((each) => hasText(each, text))
}

/** Says that a call has the same items or results in another order. Undefined if anything else differs. */
export function tellOtherOrder(
  { trace: { steps } }: ReportedRun,
  { cause, differences, expected, received, step }: Divergence,
): string | undefined {
  if (cause !== 'input' || differences.length === 0) return undefined
  const list = listInOtherOrder(expected, received)
  if (list !== undefined) return `the agent sent the same ${list} items in a different order.`
  const [first, ...others] = differences
  if (first === undefined || others.length > 0) return undefined
  return tellResultOrder(
    first,
    steps.filter((each) => each.step < step),
  )
}

/** How many items a list has that differs only in its order. Undefined if more differs than one list. */
function listInOtherOrder(expected: unknown, received: unknown): number | undefined {
  if (Array.isArray(expected) && Array.isArray(received)) {
    const [recorded, live] = [textsOf(expected), textsOf(received)]
    if (recorded.length === live.length && recorded.toSorted().every((text, index) => text === live.toSorted()[index])) return live.length
  }
  if (typeof expected !== 'object' || typeof received !== 'object' || expected === null || received === null) return undefined
  if (Array.isArray(expected) !== Array.isArray(received)) return undefined
  const [recorded, live] = [new Map(Object.entries(expected)), new Map(Object.entries(received))]
  const differing = [...new Set([...recorded.keys(), ...live.keys()])].filter(
    (key) => JSON.stringify(recorded.get(key)) !== JSON.stringify(live.get(key)),
  )
  const [only] = differing
  return only === undefined || differing.length > 1 ? undefined : listInOtherOrder(recorded.get(only), live.get(only))
}

function textsOf(items: readonly unknown[]): string[] {
  return items.map((item) => JSON.stringify(item))
}

/** Says in which order a text has the results of steps, if it differs in nothing else. */
function tellResultOrder({ path, expected, received }: FieldDifference, steps: readonly Step[]): string | undefined {
  if (typeof expected !== 'string' || typeof received !== 'string') return undefined
  const results = steps.flatMap((step) => resultTexts(step).map((text) => ({ step: step.step, text })))
  const both = results.filter(({ text }) => expected.includes(text) && received.includes(text))
  const orderIn = (whole: string): number[] => [
    ...new Set(both.toSorted((a, b) => whole.indexOf(a.text) - whole.indexOf(b.text)).map(({ step }) => step)),
  ]
  const without = (whole: string): string => both.reduce((rest, { text }) => rest.replace(text, ''), whole)
  const [recorded, live] = [orderIn(expected), orderIn(received)]
  if (without(expected) !== without(received) || recorded.join() === live.join()) return undefined
  return `the results of steps ${recorded.join(', ')} are in a different order in ${path}: ${live.join(', ')}.`
}
