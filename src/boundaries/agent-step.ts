import { currentScope, type Scope } from '../run/scope.ts'

/** Makes an agent's action on something that it has opened, such as sending a message, a separate step. */
export function agentDoes({ run, owner }: Scope, name: string, input: unknown): void {
  run.callFunction({ boundary: 'external', name, input, owner, errors: [] }, () => undefined)
}

/** The same for something that stays with its opener's run, whichever run the acting code is in. */
export function agentDoesFor(opener: Scope, name: string, input: unknown): void {
  const scope = currentScope()
  agentDoes(scope?.run === opener.run ? scope : opener, name, input)
}

/** Runs a recording step. If it throws, only the recording is lost, and the run's trace says so. */
export function attemptFor<Result>(opener: Scope | undefined, nameOf: () => string, record: () => Result): Result | undefined {
  try {
    return record()
  } catch (error) {
    opener?.run.note('unkept-value', `${nameOf()}: ${String(error)}`)
    return undefined
  }
}
