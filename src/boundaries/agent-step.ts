import { currentScope, type Scope } from '../run/scope.ts'

/** Makes what the agent does with something that it has opened a step of its own, such as a message that it sends. */
export function agentDoes({ run, owner }: Scope, name: string, input: unknown): void {
  run.callFunction({ boundary: 'external', name, input, owner, errors: [] }, () => undefined)
}

/** The same with something that stays with the run of its opener, whatever run the code is in that does it. */
export function agentDoesFor(opener: Scope, name: string, input: unknown): void {
  const scope = currentScope()
  agentDoes(scope?.run === opener.run ? scope : opener, name, input)
}
