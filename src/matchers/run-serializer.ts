import { describeCall, describeResult } from '../divergence/describe-call.ts'
import { printField } from '../divergence/print-value.ts'
import { nameOf } from '../divergence/report/reported-run.ts'
import type { ReplayedRun, ToolCall } from '../replay/contract/replayed-run.ts'
import type { CheckpointRow } from '../trace/rows.ts'
import { isRun } from './not-a-run-error.ts'

/** A snapshot serializer, in the form that `expect.addSnapshotSerializer` of Vitest and Jest accepts. */
export interface SnapshotSerializer {
  test(value: unknown): boolean
  serialize(value: unknown, config: unknown, indentation: string): string
}

/** The maximum length of a line. Longer ones are cut. */
const widest = 2000

/**
 * Prints a replayed run in a snapshot as its transcript, and checkpoints and tool calls as lines: what they did, without meaningless times
 * and numbers.
 */
export const runSerializer: SnapshotSerializer = {
  test: (value) => isRun(value) || isListOf(value, isCheckpoint) || isListOf(value, isToolCall),
  serialize: (value, _config, indentation) => linesOf(value).join(`\n${indentation}`),
}

function linesOf(value: unknown): readonly string[] {
  if (isRun(value)) return transcript(value)
  if (isListOf(value, isCheckpoint)) return value.map(checkpointLine)
  return isListOf(value, isToolCall) ? value.map(toolCallLine) : []
}

function transcript(run: ReplayedRun): string[] {
  const steps = run.steps.map((step) => {
    const { boundary, name, input } = step
    return `${String(step.step).padStart(3)}  ${boundary.padEnd(8)}  ${describeCall(boundary, name, input, widest)} → ${describeResult(step, widest)}`
  })
  const checkpoints = run.checkpoints.map((checkpoint) => `     checkpoint  ${checkpointLine(checkpoint)}`)
  return [`${nameOf(run)}, ${run.trace.header.agent}`, ...steps, ...checkpoints, outcomeLine(run)]
}

function outcomeLine({ outcome }: ReplayedRun): string {
  if (outcome.status === 'returned') return `returned ${printField(outcome.output, widest)}`
  if (outcome.status === 'threw') return `threw ${String(outcome.error)}`
  return outcome.status === 'stopped' ? `stopped: ${outcome.divergence.cause}` : 'in flight'
}

function checkpointLine({ name, state }: CheckpointRow): string {
  return `${name} ${printField(state, widest)}`
}

function toolCallLine({ name, args, output, error, source }: ToolCall): string {
  const call = `${name}(${printField(args, widest)})`
  if (source === 'asked') return `${call}, asked for`
  if (error === undefined) return `${call} → ${printField(output, widest)}`
  const { name: errorName, message } = error as { readonly name?: unknown; readonly message?: unknown }
  return `${call} → throws ${String(errorName)}: ${String(message)}`
}

function isListOf<Item>(value: unknown, isItem: (item: unknown) => item is Item): value is readonly Item[] {
  return Array.isArray(value) && value.length > 0 && value.every(isItem)
}

function isCheckpoint(item: unknown): item is CheckpointRow {
  return typeof item === 'object' && item !== null && 'kind' in item && item.kind === 'checkpoint' && 'state' in item && 'owner' in item
}

function isToolCall(item: unknown): item is ToolCall {
  if (typeof item !== 'object' || item === null || !('source' in item)) return false
  return (item.source === 'ran' || item.source === 'asked') && 'step' in item && 'name' in item && 'args' in item
}
