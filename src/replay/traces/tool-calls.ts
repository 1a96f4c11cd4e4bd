import { canonical } from '../../trace/hash.ts'
import type { Step } from '../../trace/trace.ts'
import type { ModelCall, ToolCall } from '../contract/replayed-run.ts'

/**
 * The tool calls of a run in one list: each call of a wrapped tool, and each that a model asked for and no wrapped tool ran. Asked-for
 * calls are matched by name and arguments, because their ids are not unique.
 */
export function toolCallsOf(steps: readonly Step[], modelCalls: readonly ModelCall[]): ToolCall[] {
  const ran = steps.filter(({ boundary }) => boundary === 'tool').map(toRanCall)
  const unasked = new Map<string, number>()
  for (const call of ran) unasked.set(keyOf(call), (unasked.get(keyOf(call)) ?? 0) + 1)
  const asked = modelCalls.flatMap(({ step, answer }) =>
    (answer?.toolCalls ?? []).flatMap(({ name, args }): ToolCall[] => {
      const key = keyOf({ name, args })
      const left = unasked.get(key) ?? 0
      if (left > 0) unasked.set(key, left - 1)
      return left > 0 ? [] : [{ step, name, args, source: 'asked' }]
    }),
  )
  return [...ran, ...asked].toSorted((a, b) => a.step - b.step)
}

function toRanCall({ step, name, input, output, error }: Step): ToolCall {
  return { step, name, args: input, ...(output === undefined ? {} : { output }), ...(error === undefined ? {} : { error }), source: 'ran' }
}

function keyOf({ name, args }: Pick<ToolCall, 'name' | 'args'>): string {
  return `${name}\n${canonical(args)}`
}
