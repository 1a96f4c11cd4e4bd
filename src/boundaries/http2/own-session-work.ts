import type { ClientHttp2Session } from 'node:http2'
import { bindScope, currentScope, runBelow } from '../../run/scope.ts'

type Method = (...args: unknown[]) => unknown

/** Makes the work of these methods belong to the session and to no run. Callbacks are the agent's. */
export function asOwnWork(session: ClientHttp2Session, names: readonly ('close' | 'destroy' | 'goaway' | 'ping' | 'settings')[]): void {
  const methods = session as unknown as Record<string, Method>
  for (const name of names) {
    const original = methods[name]
    if (original !== undefined) methods[name] = (...args) => ownWork((given) => Reflect.apply(original, session, given), args)
  }
}

function ownWork(go: (args: unknown[]) => unknown, args: unknown[]): unknown {
  const scope = currentScope()
  if (scope === undefined) return go(args)
  const bound = args.map((each) => (typeof each === 'function' ? bindScope(each as Method) : each))
  return runBelow(scope, {}, () => go(bound))
}
