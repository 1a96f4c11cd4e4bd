import { ClaudeConversation, type WrittenStep } from '../../models/claude-code.ts'
import { Lines } from '../mcp/mcp-session.ts'
import type { AgentMessage } from './agent-messages.ts'

/** Names an agent's writes to a process: by the program's own protocol if it is known, else as writes to its input. */
export class WrittenSteps {
  readonly #claude = new ClaudeConversation()
  readonly #lines = new Lines()
  #isJson = false

  /** The process writes output. */
  hear(bytes: Uint8Array): void {
    // Most processes are not conversations.
    if (this.#isJson) for (const line of this.#lines.add(bytes)) this.#claude.hear(line)
  }

  toStep(message: AgentMessage): WrittenStep {
    if ('json' in message) {
      this.#isJson = true
      return this.#claude.toStep(message.json) ?? { what: 'stdin', input: message.json }
    }
    return { what: 'stdin', input: 'text' in message ? message.text : message.bytes }
  }
}
