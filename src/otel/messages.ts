import type { Attributes } from '@opentelemetry/api'
import type { NormalAnswer, NormalMessage, NormalRequest, NormalToolCall, StopReason } from '../models/dialect.ts'
import { attribute } from './attributes.ts'

/** Why a model stopped, in the words for messages (gen-ai-output-messages.json, FinishReason). */
export const MESSAGE_REASONS: Readonly<Record<StopReason, string>> = {
  end: 'stop',
  'tool-calls': 'tool_call',
  length: 'length',
  refused: 'content_filter',
  paused: 'pause',
  other: 'other',
}

/** Returns the messages of a model call as JSON in the form of the conventions. */
export function messageAttributes({ request, answer }: { readonly request: NormalRequest; readonly answer?: NormalAnswer }): Attributes {
  const { system, messages, tools } = request
  return {
    ...(system.length > 0 && { [attribute.systemInstructions]: JSON.stringify(system.map(toText)) }),
    [attribute.inputMessages]: JSON.stringify(messages.map(toInputMessage)),
    ...(answer && { [attribute.outputMessages]: JSON.stringify([toOutputMessage(answer)]) }),
    ...(tools.length > 0 && {
      [attribute.toolDefinitions]: JSON.stringify(
        tools.map(({ name, description, schema }) => ({ type: 'function', name, description, parameters: schema })),
      ),
    }),
  }
}

function toInputMessage({ role, text, toolCalls = [], toolResult, parts = [] }: NormalMessage): object {
  if (toolResult !== undefined)
    return { role, parts: [{ type: 'tool_call_response', id: toolResult.id, response: toolResult.text }, ...parts.map(toPart)] }
  return { role, parts: [...(text === '' ? [] : [toText(text)]), ...parts.map(toPart), ...toolCalls.map(toToolCall)] }
}

function toOutputMessage({ text, reasoning, refusal, toolCalls, stopReason }: NormalAnswer): object {
  const parts = [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning', content: reasoning }]),
    ...(text === '' ? [] : [toText(text)]),
    ...(refusal === undefined ? [] : [toText(refusal)]),
    ...toolCalls.map(toToolCall),
  ]
  return { role: 'assistant', parts, finish_reason: stopReason === undefined ? 'error' : MESSAGE_REASONS[stopReason] }
}

function toText(content: string): object {
  return { type: 'text', content }
}

function toPart({ kind, value }: { readonly kind: string; readonly value: unknown }): object {
  return { type: kind, value }
}

function toToolCall({ id, name, args }: NormalToolCall): object {
  return { type: 'tool_call', id, name, arguments: args }
}
