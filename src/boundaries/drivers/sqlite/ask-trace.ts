import type { AnsweredScope } from '../../../run/scope.ts'
import { types } from 'node:util'
import { callSite, captureTrail } from '../../../run/call-site.ts'
import { ContactRefusedError } from '../../contact/contact-refused-error.ts'
import { callAtOnce, type DriverCall } from '../driver-call.ts'
import type { Execution } from './execution.ts'
import { databaseOf, fileOf } from './known-statements.ts'

type Asking = Pick<Execution, 'dialect' | 'executor'>

/**
 * Returns the recorded answer, or throws the recorded error, in the driver's class.
 *
 * @param ask Asks the sandbox of a fork, if the fork says so. Default: the sandbox cannot be asked.
 */
export function askTrace(scope: AnsweredScope, { dialect, executor }: Asking, call: DriverCall, ask: () => unknown = cannotAsk): unknown {
  const database = databaseOf(executor)
  const toDriver = (error: unknown): unknown => ofClass(error, () => dialect.errorPrototype(database))
  let output: unknown
  try {
    output = callAtOnce(scope, dialect.isPromised ? call : { ...call, atOnce: true }, ask)
  } catch (error) {
    throw toDriver(error)
  }
  if (!types.isPromise(output)) return output
  if (dialect.isPromised) return output.catch((error: unknown) => Promise.reject(toDriver(error)))
  // The call was not recorded, which the verdict reports; a synchronous method cannot wait for that.
  throw new ContactRefusedError(
    { door: 'database', host: fileOf(database, dialect.driver) ?? dialect.driver },
    'replay',
    callSite(captureTrail().stack),
  )
}

function cannotAsk(): never {
  throw new Error('A sandbox cannot run this call.')
}

/** Refuses a call that no trace can answer. */
export function refuseExecution({ run, owner }: AnsweredScope, { dialect, executor }: Asking): Error {
  return run.refuseContact(owner, 'database', fileOf(databaseOf(executor), dialect.driver) ?? dialect.driver)
}

/** A driver's errors are recorded by name. */
function ofClass(error: unknown, prototypeOf: () => object | null): unknown {
  if (!(error instanceof Error) || error.name !== 'SqliteError') return error
  const prototype = prototypeOf()
  if (prototype === null) return error
  Object.setPrototypeOf(error, prototype)
  Reflect.deleteProperty(error, 'name')
  return error
}
