import type { Scope } from '../run/scope.ts'

/** Makes what the agent does with something that it has opened a step of its own, such as a message that it sends. */
export function agentDoes({ run, owner }: Scope, name: string, input: unknown): void {
  run.callFunction({ boundary: 'external', name, input, owner, errors: [] }, () => undefined)
}
