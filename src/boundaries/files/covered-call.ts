import { AsyncLocalStorage } from 'node:async_hooks'
import { callSite, captureTrail } from '../../run/call-site.ts'
import { builtins } from '../../node/builtins.ts'
import { processWide } from '../../node/process-wide.ts'
import { bindContext, currentScope, type Scope } from '../../run/scope.ts'
import { ContactRefusedError } from '../contact/contact-refused-error.ts'
import { combine, replaceFunction, type Restore } from '../patches.ts'
import type { OrderedResult } from './result-order.ts'
import { toAgentError, toAgentResult } from './of-agent.ts'
import { filesOf, type RunFiles, UnansweredFileStep } from './run-files.ts'

/** A function of `node:fs`. */
export type Call = (this: unknown, ...args: unknown[]) => unknown

/** How a function delivers its result. */
export type Form = 'sync' | 'callback' | 'promise'

/** Replaces a function of `node:fs` and `node:fs/promises` in each of its forms. */
export function replaceForms(name: string, door: (original: Call, form: Form) => Call): Restore {
  const { fs } = builtins
  return combine(
    replaceFunction(fs, `${name}Sync`, (original) => door(original, 'sync')),
    replaceFunction(fs, name, (original) => door(original, 'callback')),
    replaceFunction(fs.promises, name, (original) => door(original, 'promise')),
  )
}

/** A call of a function of `node:fs` by code whose files are recorded. */
export interface FilesCall extends FilesHere {
  readonly form: Form
  readonly args: unknown[]
  /** Calls the function itself. */
  readonly go: (args: unknown[]) => unknown
}

/**
 * Replaces a function for code whose files are recorded. The function's own properties stay: `util.promisify` reads one of `exists`.
 */
export function filesDoor(answer: (call: FilesCall) => unknown): (original: Call, form: Form) => Call {
  return (original, form) =>
    new Proxy(original, {
      apply(target, self, args: unknown[]) {
        const go = (own: unknown[]): unknown => Reflect.apply(target, self, own)
        const here = filesHere()
        return here === undefined ? go(args) : answer({ ...here, form, args, go })
      },
    })
}

/** Set while Node calls its own functions for one that the agent has called. */
const nested = processWide('nested-file-calls', () => new AsyncLocalStorage<boolean>())

interface FilesHere {
  readonly scope: Scope
  readonly files: RunFiles
}

/** Returns the files of the running code's run, if any are recorded. */
export function filesHere(): FilesHere | undefined {
  const scope = currentScope()
  const files = scope && filesOf(scope.run)
  return scope === undefined || files === undefined || nested.getStore() === true ? undefined : { scope, files }
}

/** Runs Node's own work for a call. */
export function asNested<Result>(body: () => Result): Result {
  return nested.run(true, body)
}

/** A call that concerns recorded files. */
export interface CoveredCall {
  readonly files: RunFiles
  readonly form: Form
  readonly args: readonly unknown[]
  /** Makes the call with the arguments from `ready`. */
  readonly make: (args: unknown[]) => unknown
  /** Returns the arguments for Node, or throws. */
  readonly ready: () => unknown[]
  /** The call waits for the agent, which may wait for other calls. */
  readonly isOpen?: boolean
}

/** Makes a call that concerns recorded files. */
export function callCovered(call: CoveredCall): unknown {
  const { files, form, args, make, ready } = call
  const { overlay } = files
  try {
    const own = ready()
    const order = form === 'sync' || call.isOpen === true ? atOnce : files.order.begins()
    if (form === 'callback') return makeWithCallback(order, own, make, overlay)
    if (form === 'sync') return toAgentResult(overlay, make(own))
    return new Promise((resolve, reject) => {
      new Promise((settle) => settle(make(own))).then(
        (given) => order.ends(() => resolve(toAgentResult(overlay, given))),
        (error: unknown) => order.ends(() => reject(toAgentError(overlay, error))),
      )
    })
  } catch (error) {
    return fail(form, args, toAgentError(overlay, error))
  }
}

const atOnce: OrderedResult = { ends: (give) => give() }

function makeWithCallback(order: OrderedResult, args: unknown[], make: CoveredCall['make'], overlay: RunFiles['overlay']): unknown {
  const callback = args.at(-1)
  const isTold = typeof callback === 'function'
  const told = function (this: unknown, error: unknown, ...results: unknown[]): void {
    const tell = (): unknown =>
      Reflect.apply(callback as Call, this, [toAgentError(overlay, error), ...results.map((result) => toAgentResult(overlay, result))])
    order.ends(() => void nested.run(false, tell))
  }
  try {
    const given = make(isTold ? [...args.slice(0, -1), told] : args)
    if (!isTold) order.ends(() => undefined)
    return given
  } catch (error) {
    order.ends(() => undefined)
    throw error
  }
}

/** Fails in the function's own form. */
function fail(form: Form, args: readonly unknown[], error: unknown): unknown {
  if (form === 'sync') {
    // The step is not recorded, and the verdict reports it; a synchronous function cannot wait for the verdict.
    if (error instanceof UnansweredFileStep)
      throw new ContactRefusedError({ door: 'file', host: error.path }, 'replay', callSite(captureTrail().stack))
    throw error
  }
  const failed = error instanceof UnansweredFileStep ? error.refused : Promise.reject(error)
  if (form === 'promise') return failed
  const callback = args.at(-1)
  if (typeof callback !== 'function') throw error
  const tell = bindContext(callback as (error: unknown) => void)
  failed.catch((refusal: unknown) => process.nextTick(tell, refusal))
  return undefined
}
