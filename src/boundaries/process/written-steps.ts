import { ClaudeConversation, type WrittenStep } from '../../models/claude-code.ts'
import { Lines } from '../mcp/mcp-session.ts'
import type { AgentMessage } from './agent-messages.ts'

/** Names what an agent writes to a process: by the program's own protocol where it is known, else as what is written to its input. */
export class WrittenSteps {
  readonly #claude = new ClaudeConversation()
  readonly #lines = new Lines()
  #isJson = false

  /** The process puts out something. */
  hear(bytes: Uint8Array): void {
    // Most processes are no conversation.
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
