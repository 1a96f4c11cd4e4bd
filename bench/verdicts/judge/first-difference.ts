import stringify from 'fast-json-stable-stringify'
import type { Cause, InputPart } from '../../../src/divergence/divergence.ts'
import type { LoggedCall, RunLog } from '../world/run-log.ts'

/** Where and how two runs first part, told by the world. */
export interface Difference {
  readonly cause: Cause
  /** Counted from 1 in the first run. */
  readonly step: number
  readonly position: 'at' | 'after'
  /** For an input of a model call: which parts of the request. */
  readonly parts: readonly InputPart[]
}

/** A call of the first run. */
interface Expected {
  readonly index: number
  /** The number of its step; of the first, where it is several. */
  readonly step: number
  readonly call: LoggedCall
}

/**
 * Where a run first parts from another, by what the world saw of both: who was called with what, after which answers; which checkpoints were
 * reached; how it ended. Calls that were under way together may start in any order. Undefined where nothing differs.
 */
export function firstDifference(recorded: RunLog, changed: RunLog): Difference | undefined {
  const call = firstCall(recorded, changed)
  const checkpoint = firstCheckpoint(recorded, changed)
  if (checkpoint !== undefined && (call === undefined || checkpoint.step < placeOf(call))) return checkpoint
  if (call !== undefined) return call
  if (stringify(recorded.end) === stringify(changed.end)) return undefined
  return { cause: 'outcome', step: stepOf(recorded, recorded.calls.length - 1), position: 'after', parts: [] }
}

/** The number of a call's step. A tool whose function did not run is one, whatever it called inside: 0 for the call before the first. */
function stepOf(log: RunLog, index: number): number {
  return index < 0 ? 0 : countSteps(log, index) + 1
}

/** How many steps the first `calls` of a run are; by default all of them. */
export function countSteps(log: RunLog, calls: number = log.calls.length): number {
  return log.calls.slice(0, calls).reduce((sum, { steps }) => sum + steps, 0)
}

function placeOf({ step, position }: Difference): number {
  return position === 'at' ? step : step + 0.5
}

function firstCall(recorded: RunLog, changed: RunLog): Difference | undefined {
  const waiting = recorded.calls.map((call, index): Expected => ({ index, step: stepOf(recorded, index), call }))
  /** By the index in the changed run, the index in the recorded one. */
  const indices = new Map<number, number>()
  for (const [index, call] of changed.calls.entries()) {
    const next = waiting.findIndex((candidate) => isEqual(candidate.call, call) && waiting.every((other) => mayComeAfter(other, candidate)))
    const found = waiting[next]
    if (found === undefined) return classify(call, changed.calls.slice(index + 1), waiting, recorded)
    const waited = new Set([...call.after].map((before) => indices.get(before)))
    if (waited.size !== found.call.after.size || ![...found.call.after].every((before) => waited.has(before)))
      return { cause: 'order', step: found.step, position: 'at', parts: [] }
    waiting.splice(next, 1)
    indices.set(index, found.index)
  }
  const [left] = waiting
  return left && { cause: 'missing-call', step: left.step, position: 'at', parts: [] }
}

/** Whether `candidate` may start before `other`, which stands before it and was not made yet: they were under way together. */
function mayComeAfter(other: Expected, candidate: Expected): boolean {
  return other.index >= candidate.index || !candidate.call.after.has(other.index)
}

/** A call that is none of those whose turn it is. */
function classify(call: LoggedCall, later: readonly LoggedCall[], waiting: readonly Expected[], recorded: RunLog): Difference {
  const [due] = waiting
  if (due !== undefined) {
    const isDueLater = later.some((other) => isEqual(due.call, other))
    const isRecordedLater = waiting.some((other) => isEqual(other.call, call))
    if (isRecordedLater) return { cause: isDueLater ? 'order' : 'missing-call', step: due.step, position: 'at', parts: [] }
    if (!isDueLater && due.call.name === call.name) return toInputDifference(due.step, due.call, call)
  }
  const before = (due?.index ?? recorded.calls.length) - 1
  return { cause: 'unexpected-call', step: stepOf(recorded, before), position: 'after', parts: [] }
}

function toInputDifference(step: number, recorded: LoggedCall, changed: LoggedCall): Difference {
  const parts = recorded.name === 'model' ? changedParts(toObject(recorded.input), toObject(changed.input)) : (['args'] as const)
  return { cause: parts.every((part) => part === 'model') ? 'model-drift' : 'input', step, position: 'at', parts }
}

/** Which parts of two requests differ, read off their fields: those of OpenAI's chat completions, and Anthropic's `system`. */
function changedParts(recorded: Fields, changed: Fields): InputPart[] {
  const names = new Set([...Object.keys(recorded), ...Object.keys(changed)])
  const differing = [...names].filter((name) => stringify(recorded[name]) !== stringify(changed[name]))
  return [...new Set(differing.flatMap((name) => partsOf(name, recorded[name], changed[name])))]
}

function partsOf(name: string, recorded: unknown, changed: unknown): InputPart[] {
  if (name === 'model') return ['model']
  if (name === 'system') return ['system-prompt']
  if (name === 'tools') return ['tool-schema']
  if (name === 'temperature' || name === 'max_tokens') return ['sampling']
  if (name !== 'messages') return ['body']
  const of = (messages: unknown, isSystem: boolean): string =>
    stringify((messages as Fields[]).filter(({ role }) => (role === 'system') === isSystem))
  return [
    ...(of(recorded, true) === of(changed, true) ? [] : (['system-prompt'] as const)),
    ...(of(recorded, false) === of(changed, false) ? [] : (['messages'] as const)),
  ]
}

type Fields = Readonly<Record<string, unknown>>

function toObject(value: unknown): Fields {
  return value as Fields
}

function isEqual(a: LoggedCall, b: LoggedCall): boolean {
  return a.name === b.name && stringify(a.input) === stringify(b.input)
}

function firstCheckpoint(recorded: RunLog, changed: RunLog): Difference | undefined {
  const index = recorded.checkpoints.findIndex(({ name, state }, at) => {
    const other = changed.checkpoints[at]
    return other === undefined || other.name !== name || stringify(other.state) !== stringify(state)
  })
  const found = recorded.checkpoints[index]
  return found && { cause: 'checkpoint', step: stepOf(recorded, found.calls - 1), position: 'after', parts: [] }
}
