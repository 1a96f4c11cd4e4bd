/**
 * Claude Code's JSON lines, which the Claude Agent SDK uses to communicate with it. The agent writes turns, and answers to Claude's calls of the
 * agent's own tools. Source: @anthropic-ai/claude-agent-sdk 0.3, `SDKUserMessage` and `SDKControlRequest`.
 */

import { parseJson } from '../trace/json.ts'
import { recordOf } from './json-fields.ts'

/** A message that an agent writes, as a step of a process: its name and its input. */
export interface WrittenStep {
  readonly what: string
  readonly input: unknown
}

/** A call of one of the agent's own tools that has not been answered. */
interface AskedTool {
  readonly name: string
  readonly args: unknown
}

/** One conversation with Claude Code. */
export class ClaudeConversation {
  readonly #asked = new Map<string, AskedTool>()

  /** Called when Claude outputs a line. */
  hear(line: string): void {
    if (!line.includes('"mcp_message"')) return
    const { request_id: id, request } = recordOf(parseJson(line))
    const { server_name: server, message } = recordOf(request)
    const { method, params } = recordOf(message)
    if (method !== 'tools/call' || typeof id !== 'string') return
    const { name, arguments: args } = recordOf(params)
    this.#asked.set(id, { name: `${String(server)}.${String(name)}`, args })
  }

  /** Returns a message of the agent as a step; undefined for a message of another kind. */
  toStep(json: unknown): WrittenStep | undefined {
    const { type, message, response } = recordOf(json)
    if (type === 'user') return { what: 'turn', input: turnOf(recordOf(message)['content']) }
    if (type !== 'control_response') return undefined
    const { request_id: id, response: answer } = recordOf(response)
    const asked = typeof id === 'string' ? this.#asked.get(id) : undefined
    if (asked === undefined) return undefined
    this.#asked.delete(String(id))
    return { what: asked.name, input: { args: asked.args, answer: recordOf(recordOf(answer)['mcp_response'])['result'] ?? answer } }
  }
}

/** Returns a turn as text if it consists of one text, else unchanged. */
function turnOf(content: unknown): unknown {
  const [first, ...others] = Array.isArray(content) ? (content as readonly unknown[]) : []
  const { type, text } = recordOf(first)
  return type === 'text' && others.length === 0 ? text : content
}
