import { AsyncLocalStorage } from 'node:async_hooks'
import { callSite, captureTrail } from '../../run/call-site.ts'
import { processWide } from '../../node/process-wide.ts'
import { bindScope, currentScope, type Scope } from '../../run/scope.ts'
import { ContactRefusedError } from '../contact/contact-refused-error.ts'
import { toAgentError, toAgentResult } from './of-agent.ts'
import { filesOf, type RunFiles, UnansweredFileStep } from './run-files.ts'

/** A function of `node:fs`. */
export type Call = (this: unknown, ...args: unknown[]) => unknown

/** Set where Node itself calls its functions, for one that the agent has called. */
const nested = processWide('nested-file-calls', () => new AsyncLocalStorage<boolean>())

/** The files that a call of the running code concerns, if any are recorded. */
export function filesHere(): { readonly scope: Scope; readonly files: RunFiles } | undefined {
  const scope = currentScope()
  const files = scope && filesOf(scope.run)
  return scope === undefined || files === undefined || nested.getStore() === true ? undefined : { scope, files }
}

/** Runs what Node does for a call. */
export function asNested<Result>(body: () => Result): Result {
  return nested.run(true, body)
}

/** How a function gives its result. */
export type Form = 'sync' | 'callback' | 'promise'

/** Makes a call that concerns recorded files. @param make Makes it with other arguments. @param ready Gives those, or throws. */
export function callCovered(
  files: RunFiles,
  form: Form,
  args: readonly unknown[],
  make: (args: unknown[]) => unknown,
  ready: () => unknown[],
): unknown {
  const { overlay } = files
  const ofAgent = (error: unknown): unknown => (overlay === undefined ? error : toAgentError(overlay, error))
  const toAgent = (result: unknown): unknown => (overlay === undefined ? result : toAgentResult(overlay, result))
  try {
    const own = ready()
    if (form === 'callback') return make(withCallback(own, (error) => ofAgent(error), toAgent))
    const result = make(own)
    if (form === 'sync') return toAgent(result)
    return (result as Promise<unknown>).then(toAgent, (error: unknown) => Promise.reject(ofAgent(error) as Error))
  } catch (error) {
    return fail(form, args, ofAgent(error))
  }
}

function withCallback(args: unknown[], ofAgent: (error: unknown) => unknown, toAgent: (result: unknown) => unknown): unknown[] {
  const callback = args.at(-1)
  if (typeof callback !== 'function') return args
  const told = function (this: unknown, error: unknown, ...results: unknown[]): unknown {
    return nested.run(false, () => Reflect.apply(callback, this, [ofAgent(error), ...results.map(toAgent)]) as unknown)
  }
  return [...args.slice(0, -1), told]
}

/** Fails as the function does. */
function fail(form: Form, args: readonly unknown[], error: unknown): unknown {
  if (form === 'sync') {
    // It is no recorded step, and the verdict says so; a synchronous function cannot wait for that.
    if (error instanceof UnansweredFileStep)
      throw new ContactRefusedError({ door: 'file', host: error.path }, 'replay', callSite(captureTrail().stack))
    throw error
  }
  const failed = error instanceof UnansweredFileStep ? error.refused : Promise.reject(error)
  if (form === 'promise') return failed
  const callback = args.at(-1)
  if (typeof callback !== 'function') throw error
  const tell = bindScope(callback as (error: unknown) => void)
  failed.catch((refusal: unknown) => process.nextTick(tell, refusal))
  return undefined
}
