import { AsyncLocalStorage } from 'node:async_hooks'
import { callSite, captureTrail } from '../../run/call-site.ts'
import { processWide } from '../../node/process-wide.ts'
import { bindContext } from '../../run/scope.ts'
import { ContactRefusedError } from '../contact/contact-refused-error.ts'
import type { OrderedResult, ResultOrder } from './result-order.ts'
import { type Renaming, toAgentError, toAgentResult } from './of-agent.ts'
import { UnansweredFileStep } from './unanswered-file-step.ts'

/** A function of `node:fs`. */
export type Call = (this: unknown, ...args: unknown[]) => unknown

/** How a function delivers its result. */
export type Form = 'sync' | 'callback' | 'promise'

/** Set while Node calls its own functions for one that the agent has called. */
const nested = processWide('nested-file-calls', () => new AsyncLocalStorage<boolean>())

/** Returns whether Node calls its own functions. */
export function isNested(): boolean {
  return nested.getStore() === true
}

/** Runs Node's own work for a call. */
export function asNested<Result>(body: () => Result): Result {
  return nested.run(true, body)
}

/** The files of a call's run, as far as its result depends on them. */
export interface FilesOfCall {
  /** How paths are told to the agent. */
  readonly overlay: Renaming | undefined
  readonly order: ResultOrder
}

/** A call whose paths may lie in a temporary tree. */
export interface CoveredCall {
  readonly files: FilesOfCall
  readonly form: Form
  readonly args: readonly unknown[]
  /** Makes the call with the arguments from `ready`. */
  readonly make: (args: unknown[]) => unknown
  /** Returns the arguments for Node, or throws. */
  readonly ready: () => unknown[]
  /** The call waits for the agent, which may wait for other calls. */
  readonly isOpen?: boolean
  /** How the result is told to the agent. Default: as the overlay does. */
  readonly renaming?: Renaming
  /** Called once the call has succeeded. */
  readonly done?: () => void
}

/** Makes a call whose paths may lie in a temporary tree. */
export function callCovered(call: CoveredCall): unknown {
  const { files, form, args, make, ready } = call
  const renaming = call.renaming ?? files.overlay
  const told = (given: unknown): unknown => {
    call.done?.()
    return toAgentResult(renaming, given)
  }
  try {
    const own = ready()
    const order = form === 'sync' || call.isOpen === true ? atOnce : files.order.begins()
    if (form === 'callback') return makeWithCallback(call, order, own, renaming)
    if (form === 'sync') return told(make(own))
    return new Promise((resolve, reject) => {
      new Promise((settle) => settle(make(own))).then(
        (given) => order.ends(() => resolve(told(given))),
        (error: unknown) => order.ends(() => reject(toAgentError(renaming, error))),
      )
    })
  } catch (error) {
    return fail(form, args, toAgentError(renaming, error))
  }
}

const atOnce: OrderedResult = { ends: (give) => give() }

function makeWithCallback({ make, done }: CoveredCall, order: OrderedResult, args: unknown[], renaming: Renaming | undefined): unknown {
  const callback = args.at(-1)
  const isTold = typeof callback === 'function'
  const told = function (this: unknown, error: unknown, ...results: unknown[]): void {
    if (!(error instanceof Error)) done?.()
    const tell = (): unknown =>
      Reflect.apply(callback as Call, this, [toAgentError(renaming, error), ...results.map((result) => toAgentResult(renaming, result))])
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
