import type { Cause } from '../../src/divergence/divergence.ts'
import type { Trace } from '../../src/trace/trace.ts'
import type { LoggedCall, RunLog } from './run-log.ts'

/** The first difference that an edited agent has to be told of. */
export interface Verdict {
  readonly cause: Cause
  readonly step: number
  readonly position: 'at' | 'after'
}

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

/**
 * What a replay of an edited agent has to find, decided by what the agents themselves tell: the recorded one in `recorded`, the edited one, run
 * in the same world without goldenrun, in `edited`. The trace only says where things stand. Undefined where nothing differs.
 */
export function expectedVerdict(trace: Trace, recorded: RunLog, edited: RunLog): Verdict | undefined {
  const calls = locateCalls(trace, recorded)
  const partners = matchCalls(calls, edited)
  const found = [
    ...calls.flatMap((call) => findingsAt(call, calls, partners, edited)),
    ...extraCalls(calls, partners, edited),
    ...checkpointFindings(trace, recorded, edited),
    ...toldOtherwise(calls, partners, edited),
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

/** Which of the edited agent's calls each recorded one is: of equal ones the first is the first. */
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

function findingsAt(
  call: RecordedCall,
  calls: readonly RecordedCall[],
  partners: ReadonlyMap<RecordedCall, number>,
  edited: RunLog,
): Placed[] {
  const { steps, calledAt, logged } = call
  const [step = 0] = steps
  const index = partners.get(call)
  if (index === undefined) {
    const isChanged = edited.calls.some(({ id }, candidate) => id === logged.id && ![...partners.values()].includes(candidate))
    return [{ cause: isChanged ? 'input' : 'missing-call', step, position: 'at', place: calledAt }]
  }
  const found: Placed[] = []
  const attempts = edited.calls[index]?.attempts ?? 0
  const untried = steps[attempts]
  if (untried !== undefined) found.push({ cause: 'missing-call', step: untried, position: 'at', place: calledAt + 0.5 })
  const after = edited.calls[index]?.after ?? new Set()
  const isOutOfOrder = calls.some((other) => {
    const partner = partners.get(other)
    if (partner === undefined || other === call) return false
    // It waits for an answer that it did not wait for, or no longer waits for one that it did.
    const waits = after.has(partner) && other.settledAt > calledAt
    const overtakes = logged.after.has(other.index) && !after.has(partner)
    const overlapped = other.calledAt < calledAt && other.settledAt > calledAt
    const overwrites = logged.effect === 'write' && other.logged.effect === 'write' && overlapped && partner > index
    return waits || overtakes || overwrites
  })
  if (isOutOfOrder) found.push({ cause: 'order', step, position: 'at', place: calledAt })
  return found
}

/** Calls that the recording does not have, after the last that was made when they were. */
function extraCalls(calls: readonly RecordedCall[], partners: ReadonlyMap<RecordedCall, number>, edited: RunLog): Placed[] {
  const matched = new Set(partners.values())
  const recordedIds = new Set(calls.filter((call) => !partners.has(call)).map(({ logged }) => logged.id))
  return edited.calls.flatMap(({ id, after }, index) => {
    if (matched.has(index) || recordedIds.has(id)) return []
    const settled = calls.filter((call) => after.has(partners.get(call) ?? -1)).map(({ settledAt }) => settledAt)
    const heard = Math.max(0, ...settled)
    const made = calls.filter((call) => {
      const partner = partners.get(call)
      if (partner === undefined) return false
      return call.calledAt < heard || isWithin(edited.calls[partner]?.after, after)
    })
    const step = Math.max(0, ...made.flatMap(({ steps }) => steps))
    const place = Math.max(heard, ...made.map(({ calledAt }) => calledAt)) + 0.5
    return [{ cause: 'unexpected-call', step, position: 'after', place }]
  })
}

function checkpointFindings(trace: Trace, recorded: RunLog, edited: RunLog): Placed[] {
  return recorded.checkpoints.flatMap(({ id, state }) => {
    if (edited.checkpoints.find((other) => other.id === id)?.state === state) return []
    const place = trace.rows.findIndex((row) => row.kind === 'checkpoint' && row.name === id)
    const before = trace.rows.slice(0, place).flatMap((row) => (row.kind === 'call' ? [row.step] : []))
    return [{ cause: 'checkpoint', step: Math.max(0, ...before), position: 'after', place }]
  })
}

/** The model is told what the tools answered in another order, where one of those that ran together came late. */
function toldOtherwise(calls: readonly RecordedCall[], partners: ReadonlyMap<RecordedCall, number>, edited: RunLog): Placed[] {
  const isOvertaken = calls.some((call) => {
    if (edited.calls[partners.get(call) ?? -1]?.isLate !== true) return false
    const beside = calls.filter(({ logged }) => isWithin(logged.after, call.logged.after) && isWithin(call.logged.after, logged.after))
    return beside.some(({ settledAt }) => settledAt > call.settledAt)
  })
  const summary = calls.find(({ logged }) => logged.id === 'sum')
  if (!isOvertaken || summary === undefined) return []
  return [{ cause: 'input', step: summary.steps[0] ?? 0, position: 'at', place: summary.calledAt }]
}

function isWithin(inner: ReadonlySet<number> | undefined, outer: ReadonlySet<number>): boolean {
  return inner !== undefined && [...inner].every((item) => outer.has(item))
}
