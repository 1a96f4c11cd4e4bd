import { agentLines } from './agent-stack.ts'
import type { Trail } from './call-site.ts'
import { captureStack } from './stack.ts'

/**
 * Follows a refusal or an answer on its way back to the agent, and gives the stack on which the agent's own code first appears: the line that waits for
 * the call. A stack ends where a client waits in its own way, but each promise on the way back knows who awaits it.
 *
 * @param onFound Called at most once.
 * @returns Stops following.
 * @note Slow, because each promise captures a stack. Only for a call that a finding names.
 */
export function followBack(onFound: (trail: Trail) => void): () => void {
  const look = (): void => {
    const { stack } = captureStack()
    if (agentLines(stack).length === 0) return
    stop()
    onFound({ stack })
  }
  const stop = process.getBuiltinModule('node:v8').promiseHooks.createHook({ init: look, before: look, settled: look }) as () => void
  return stop
}
