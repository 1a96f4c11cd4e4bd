import type { Cause } from '../../src/divergence/divergence.ts'
import type { Trace } from '../../src/trace/trace.ts'
import type { LoggedCall, RunLog } from './run-log.ts'

/** The first difference that an edited agent has to be told of. */
export interface Verdict {
  readonly cause: Cause
  readonly step: number
  readonly position: 'at' | 'after'
}

/** The statement that tells the model what the tools answered. */
const telling = 'sum'

/** A difference, and where in the recording it lies. */
interface Placed extends Verdict {
  readonly place: number
}

/** A recorded call: as the agent told of it, and where its rows stand in the trace. A call that was tried again is one, of several steps. */
interface RecordedCall {
  readonly index: number
  readonly logged: LoggedCall
  readonly steps: readonly number[]
  readonly calledAt: number
  /** Infinity for one that was never answered. */
  readonly settledAt: number
}

/** An edited agent's run, held against a recorded one. */
interface Comparison {
  readonly trace: Trace
  readonly calls: readonly RecordedCall[]
  readonly recorded: RunLog
  readonly edited: RunLog
  /** Which of the edited agent's calls each recorded one is: of equal ones the first is the first. */
  readonly partners: ReadonlyMap<RecordedCall, number>
  /** The first call that equals no recorded one: there the replay stops, and what comes after it is not seen. */
  readonly stop?: number
}

/**
 * What a replay of an edited agent has to find, decided by what the agents themselves tell: the recorded one in `recorded`, the edited one, run
 * in the same world without goldenrun, in `edited`. The trace only says where things stand. Undefined where nothing differs.
 */
export function expectedVerdict(trace: Trace, recorded: RunLog, edited: RunLog): Verdict | undefined {
  const calls = locateCalls(trace, recorded)
  const partners = matchCalls(calls, edited)
  const retold = toldOtherwise(calls, partners, edited)
  if (retold !== undefined) partners.delete(retold)
  const matched = new Set(partners.values())
  const stop = edited.calls.findIndex((_call, index) => !matched.has(index))
  const comparison = { trace, calls, recorded, edited, partners, ...(stop !== -1 && { stop }) }
  const found = [
    ...calls.flatMap((call) => findingsAt(call, comparison)),
    ...(stop === -1 ? [] : [unequalCall(stop, comparison)]),
    ...checkpointFindings(comparison),
  ]
  const [first] = found.toSorted((a, b) => a.place - b.place)
  return first && { cause: first.cause, step: first.step, position: first.position }
}

function locateCalls(trace: Trace, log: RunLog): RecordedCall[] {
  let next = 1
  return log.calls.map((logged, index) => {
    const steps = Array.from({ length: logged.attempts }, () => next++)
    const [first = 0] = steps
    const last = steps.at(-1) ?? 0
    const calledAt = trace.rows.findIndex((row) => row.kind === 'call' && row.step === first)
    const settledAt = trace.rows.findIndex((row) => (row.kind === 'return' || row.kind === 'throw') && row.step === last)
    return { index, logged, steps, calledAt, settledAt: settledAt === -1 ? Infinity : settledAt }
  })
}

function matchCalls(calls: readonly RecordedCall[], edited: RunLog): Map<RecordedCall, number> {
  const partners = new Map<RecordedCall, number>()
  const taken = new Set<number>()
  for (const call of calls) {
    const index = edited.calls.findIndex(({ label }, candidate) => label === call.logged.label && !taken.has(candidate))
    if (index === -1) continue
    taken.add(index)
    partners.set(call, index)
  }
  return partners
}

/** The edited agent's call that a recorded one is, where the replay comes to it. */
function seenPartner(call: RecordedCall, { partners, edited, stop }: Comparison): number | undefined {
  const index = partners.get(call)
  if (index === undefined || stop === undefined || index < stop) return index
  return isByThen(edited.calls[index], edited.calls[stop]) ? index : undefined
}

/** Whether a call has waited for nothing that another has not waited for. */
function isByThen(call: LoggedCall | undefined, other: LoggedCall | undefined): boolean {
  return isWithin(call?.after, other?.after) && isWithin(call?.slept, other?.slept)
}

function findingsAt(call: RecordedCall, comparison: Comparison): Placed[] {
  const { steps, calledAt } = call
  const [step = 0] = steps
  const index = seenPartner(call, comparison)
  if (index === undefined) {
    return isKnownMissing(call, comparison) ? [{ cause: 'missing-call', step, position: 'at', place: calledAt }] : []
  }
  const found: Placed[] = []
  const attempts = comparison.edited.calls[index]?.attempts ?? 0
  const untried = steps[attempts]
  if (untried !== undefined) found.push({ cause: 'missing-call', step: untried, position: 'at', place: calledAt + 0.5 })
  if (isOutOfOrder(call, index, comparison)) found.push({ cause: 'order', step, position: 'at', place: calledAt })
  return found
}

/** Whether a recorded call, as the edited agent makes it, waits for an answer that it did not wait for, or no longer waits for one that it did. */
function isOutOfOrder(call: RecordedCall, index: number, comparison: Comparison): boolean {
  const { calledAt, logged } = call
  const after = comparison.edited.calls[index]?.after ?? new Set()
  return comparison.calls.some((other) => {
    const partner = seenPartner(other, comparison)
    if (partner === undefined || other === call) return false
    const waits = after.has(partner) && other.settledAt > calledAt
    const overtakes = logged.after.has(other.index) && !after.has(partner)
    const overlapped = other.calledAt < calledAt && other.settledAt > calledAt
    const overwrites = logged.effect === 'write' && other.logged.effect === 'write' && overlapped && partner > index
    return waits || overtakes || overwrites
  })
}

/**
 * Whether it shows that a call is not made. After a stop nothing is missing but what was passed over before it: what a call that was made had
 * waited for in the recording, and what stands before an answer that the stopping call has waited for.
 */
function isKnownMissing(call: RecordedCall, comparison: Comparison): boolean {
  const { calls, partners, edited, stop } = comparison
  if (stop === undefined) return true
  const stopping = edited.calls[stop]
  const standsFor = changedCall(stop, comparison)
  if (standsFor === call) return false
  const made = calls.filter((other) => other === standsFor || seenPartner(other, comparison) !== undefined)
  if (made.some(({ logged }) => logged.after.has(call.index))) return true
  return !partners.has(call) && heardAt(stopping, comparison) > call.calledAt
}

/** Where the last of what a call of the edited agent has waited for stands: answers, and sleeps that the recording has. */
function heardAt(call: LoggedCall | undefined, { trace, calls, partners }: Comparison): number {
  const settled = calls.filter((other) => call?.after.has(partners.get(other) ?? -1)).map(({ settledAt }) => settledAt)
  return Math.max(0, ...settled, ...[...(call?.slept ?? [])].map((sleep) => sleptAt(sleep, trace)))
}

/** Where the end of a sleep of the agent's stands; -1 for one that the recording does not have. */
function sleptAt(sleep: string, { rows }: Trace): number {
  const delay = Number(sleep.slice(sleep.indexOf(' ')))
  return rows.findIndex((row) => row.kind === 'timer' && row.owner === 0 && row.delay === delay)
}

/**
 * The recorded call that one without an equal stands for: of the same tool and not made, of several the first, and due: all that the recorded
 * one had waited for has come, answers and what it slept since the last of them. Answers of calls that are not made need not have come for the
 * call that tells what was answered: it tells the same without them. A call that is made once more stands for none.
 */
function changedCall(index: number, { trace, calls, partners, edited }: Comparison): RecordedCall | undefined {
  const call = edited.calls[index]
  if (call === undefined || calls.some((other) => partners.has(other) && other.logged.label === call.label)) return undefined
  return calls.find(({ logged, ...other }) => {
    const candidate = calls[other.index]
    if (candidate === undefined || partners.has(candidate) || toolOf(logged) !== toolOf(call)) return false
    const awaited = calls.filter((earlier) => logged.after.has(earlier.index))
    const answered = Math.max(0, ...awaited.map(({ settledAt }) => settledAt))
    const slept = [...logged.slept].filter((sleep) => sleptAt(sleep, trace) > answered)
    const hasCome = (earlier: RecordedCall): boolean => {
      const partner = partners.get(earlier)
      return partner === undefined ? logged.id === telling : call.after.has(partner)
    }
    return awaited.every(hasCome) && slept.every((sleep) => call.slept.has(sleep))
  })
}

/** The call that the replay stops at: one that changed, or one that the recording does not have, after the last that was made when it was. */
function unequalCall(index: number, comparison: Comparison): Placed {
  const changed = changedCall(index, comparison)
  if (changed !== undefined) {
    // That it comes in another place may well be why it says something else.
    const cause = isOutOfOrder(changed, index, comparison) ? 'order' : 'input'
    return { cause, step: changed.steps[0] ?? 0, position: 'at', place: changed.calledAt }
  }
  const heard = heardAt(comparison.edited.calls[index], comparison)
  const made = comparison.calls.filter((call) => seenPartner(call, comparison) !== undefined)
  const step = Math.max(0, ...made.flatMap(({ steps }) => steps))
  const place = Math.max(heard, ...made.map(({ calledAt }) => calledAt)) + 0.5
  return { cause: 'unexpected-call', step, position: 'after', place }
}

function checkpointFindings({ trace, recorded, edited, stop = Infinity }: Comparison): Placed[] {
  return recorded.checkpoints.flatMap(({ id, state }) => {
    const reached = edited.checkpoints.find((other) => other.id === id)
    if (reached?.state === state || (reached?.calls ?? Infinity) > stop) return []
    const place = trace.rows.findIndex((row) => row.kind === 'checkpoint' && row.name === id)
    const before = trace.rows.slice(0, place).flatMap((row) => (row.kind === 'call' ? [row.step] : []))
    return [{ cause: 'checkpoint', step: Math.max(0, ...before), position: 'after', place }]
  })
}

/** The call that tells the model what the tools answered, where it tells it in another order: one of those that ran together came late. */
function toldOtherwise(
  calls: readonly RecordedCall[],
  partners: ReadonlyMap<RecordedCall, number>,
  edited: RunLog,
): RecordedCall | undefined {
  const isOvertaken = calls.some((call) => {
    if (edited.calls[partners.get(call) ?? -1]?.isLate !== true) return false
    const beside = calls.filter(({ logged }) => isWithin(logged.after, call.logged.after) && isWithin(call.logged.after, logged.after))
    return beside.some(({ settledAt }) => settledAt > call.settledAt)
  })
  return isOvertaken ? calls.find(({ logged }) => logged.id === telling) : undefined
}

/** `get_status`, or `model`. */
function toolOf({ label }: LoggedCall): string {
  return label.slice(0, label.indexOf(' '))
}

function isWithin<Item>(inner: ReadonlySet<Item> | undefined, outer: ReadonlySet<Item> | undefined): boolean {
  return inner !== undefined && [...inner].every((item) => outer?.has(item) === true)
}
