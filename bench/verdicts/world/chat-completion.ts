import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerResponse } from 'node:http'
import type { Turn } from './script.ts'

const BASE = { id: 'chatcmpl-1', created: 1_700_000_000, system_fingerprint: 'fp_local' }

/** Sends a model's turn as an OpenAI chat completion, as JSON or as server-sent events. */
export async function sendChatCompletion(turn: Turn, request: Readonly<Record<string, unknown>>, response: ServerResponse): Promise<void> {
  const model = request['model']
  if (request['stream'] !== true) {
    const message = {
      role: 'assistant',
      content: turn.text ?? null,
      refusal: null,
      ...(turn.calls && { tool_calls: turn.calls.map(toCall) }),
    }
    const choices = [{ index: 0, message, logprobs: null, finish_reason: reasonOf(turn) }]
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        ...BASE,
        object: 'chat.completion',
        model,
        choices,
        usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 },
      }),
    )
    return
  }
  response.setHeader('content-type', 'text/event-stream')
  for (const choice of toPieces(turn)) {
    if (response.destroyed) return
    response.write(`data: ${JSON.stringify({ ...BASE, object: 'chat.completion.chunk', model, choices: [choice] })}\n\n`)
    if (turn.pieceMs !== 0) await sleep(turn.pieceMs ?? 2)
  }
  response.end('data: [DONE]\n\n')
}

/** Splits a turn: one word per piece if time passes between pieces, otherwise the whole text; one call per piece. */
function toPieces(turn: Turn): object[] {
  const words = turn.text?.split(turn.pieceMs === 0 ? /$/ : /(?<= )/) ?? []
  const deltas: object[] = [
    { role: 'assistant', content: turn.text === undefined || turn.text === null ? null : '' },
    ...words.map((content) => ({ content })),
    ...(turn.calls ?? []).map((call, index) => ({ tool_calls: [{ index, ...toCall(call) }] })),
  ]
  return [...deltas.map((delta) => ({ index: 0, delta, finish_reason: null })), { index: 0, delta: {}, finish_reason: reasonOf(turn) }]
}

function toCall({ id, name, argumentsText }: NonNullable<Turn['calls']>[number]): object {
  return { id, type: 'function', function: { name, arguments: argumentsText } }
}

function reasonOf({ calls }: Turn): string {
  return calls === undefined ? 'stop' : 'tool_calls'
}
