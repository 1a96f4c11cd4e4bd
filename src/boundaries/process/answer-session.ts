import { isRpcMessage } from '../../models/mcp.ts'
import { currentScope } from '../../run/scope.ts'
import type { Preamble } from '../../run/sessions.ts'
import { AnsweredSession } from '../mcp/answered-session.ts'
import { AgentMessages } from './agent-messages.ts'
import type { ChildDouble } from './child-double.ts'
import type { DescribedProcess } from './describe-process.ts'
import { watchInput } from './watch-input.ts'

/** Answers a session for which the agent has started a process. @returns The status of a process that was started. */
export function answerSession(double: ChildDouble, { name, input, program }: DescribedProcess, preambles: readonly Preamble[]): 0 {
  const server = { says: putTogether((text) => double.output(undefined, Buffer.from(text))), close: double.close.bind(double) }
  const session = new AnsweredSession(server, { name, input }, program, preambles)
  const messages = new AgentMessages((message) => {
    if ('json' in message && isRpcMessage(message.json)) session.sends(message.json)
  })
  if (double.stdin !== null) watchInput(double.stdin, { write: (bytes) => messages.add(bytes), end: () => session.closes() })
  double.watch({ kill: () => session.closes(), send: () => undefined })
  return 0
}

/**
 * Joins a run's messages of one tick into one piece of output, because a client's handlers receive one piece together.
 *
 * @note An MCP client drops the progress of a request whose answer came in the same piece.
 */
function putTogether(put: (text: string) => void): (message: unknown) => void {
  const waiting = new Map<unknown, string>()
  return (message) => {
    const run = currentScope()?.run
    const before = waiting.get(run)
    waiting.set(run, `${before ?? ''}${JSON.stringify(message)}\n`)
    if (before !== undefined) return
    const putAll = (): void => {
      const text = waiting.get(run) ?? ''
      waiting.delete(run)
      put(text)
    }
    // An answer comes a microtask after the messages that came with it.
    void settled.then(nothing).then(nothing).then(putAll)
  }
}

const settled = Promise.resolve()
const nothing = (): void => undefined
