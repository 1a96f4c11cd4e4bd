import { readFileSync } from 'node:fs'
import path from 'node:path'
import { TAU_FOLDER } from '../../examples/tau/tau-run.ts'

/** A run as the data has it, read without the code under test. */
export interface RawRun {
  readonly name: string
  readonly shop: string
  /**
   * The index of a message is the number of the step that it is: a customer's turn is an `external` step, an assistant's a `model` step, a
   * tool's result a `tool` step. Message 0, the system prompt, is none.
   */
  readonly messages: readonly RawMessage[]
}

/** A message as the data has it. */
export interface RawMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content: string | null
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[] | null
}

/** A call of a tool, with the step that it is. */
export interface RawToolStep {
  readonly step: number
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Reads a recorded run by its name. */
export function readRawRun(name: string): RawRun {
  const { traj }: { traj: RawMessage[] } = JSON.parse(readFileSync(path.join(TAU_FOLDER, `${name}.json`), 'utf8'))
  return { name, shop: name.split('-')[0] ?? '', messages: traj }
}

/** The tool calls of a run: its k-th call was answered by its k-th tool message. Ids are of no use, the data repeats them. */
export function rawToolSteps({ name, messages }: RawRun): RawToolStep[] {
  const calls = rawCalls(messages)
  return messages.flatMap(({ role }, step): RawToolStep[] => {
    if (role !== 'tool') return []
    const call = calls.shift()
    if (call === undefined) throw new Error(`Message ${step} of ${name} is a result, but there is no call.`)
    return [{ step, name: call.function.name, args: JSON.parse(call.function.arguments) as Readonly<Record<string, unknown>> }]
  })
}

/** The writes of a run that have been made before in it with the same arguments, each with the step that made it first. */
export function repeatedWrites(run: RawRun): { name: string; step: number; first: number }[] {
  const writes = rawToolSteps(run).filter(({ name }) => /^(book|cancel|exchange|modify|return|send|update)_/.test(name))
  return writes.flatMap(({ name, step, args }) => {
    const first = writes.find((other) => other.name === name && JSON.stringify(other.args) === JSON.stringify(args))?.step ?? step
    return first === step ? [] : [{ name, step, first }]
  })
}

/** Whether an id of a tool call stands for more than one call. */
export function reusesToolCallIds({ messages }: RawRun): boolean {
  const ids = rawCalls(messages).map(({ id }) => id)
  return new Set(ids).size < ids.length
}

function rawCalls(messages: readonly RawMessage[]): NonNullable<RawMessage['tool_calls']>[number][] {
  return messages.flatMap(({ tool_calls: calls }) => calls ?? [])
}
