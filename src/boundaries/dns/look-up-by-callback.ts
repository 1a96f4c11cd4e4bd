import { types } from 'node:util'
import { bindContext, type Scope } from '../../run/scope.ts'
import { Arrival } from '../arrival.ts'
import { callDirectly } from '../direct-step.ts'
import { toDnsStep } from './to-dns-step.ts'

type Callback = (error: unknown, ...answer: unknown[]) => void

/** Makes a query with a callback a step. The trace keeps the answer in the form of the promise version. */
export function lookUpByCallback(
  scope: Scope,
  name: string,
  args: readonly unknown[],
  go: (args?: readonly unknown[]) => unknown,
): unknown {
  const callback = args.at(-1)
  // Node itself reports the missing callback.
  if (typeof callback !== 'function') return go()
  const tell = bindContext(callback as Callback)
  const step = toDnsStep(name, args)
  if (scope.run.mode === 'replay') {
    follow(
      callDirectly(scope, step, () => askForReal(name, args, go)),
      name,
      tell,
    )
    return {}
  }
  const arrival = new Arrival()
  let request: unknown
  callDirectly(scope, step, () => {
    request = go([
      ...args.slice(0, -1),
      (error: unknown, ...answer: unknown[]) => {
        if (error === null || error === undefined) arrival.settle(fromCallback(name, answer))
        else arrival.fail(error)
        tell(error, ...answer)
      },
    ])
    return arrival
  })
  return request
}

/** Returns the promise of a real query that a fork makes. */
function askForReal(name: string, args: readonly unknown[], go: (args?: readonly unknown[]) => unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const told: Callback = (error, ...answer) =>
      error === null || error === undefined ? resolve(fromCallback(name, answer)) : reject(error)
    go([...args.slice(0, -1), told])
  })
}

/** Passes an answer to a callback. As in Node, an error that the callback throws is an uncaught exception. */
function follow(answer: unknown, name: string, tell: Callback): void {
  const deliver = (...told: Parameters<Callback>): void => process.nextTick(tell, ...told)
  if (!types.isPromise(answer)) return deliver(null, ...toCallback(name, answer))
  answer.then(
    (given: unknown) => deliver(null, ...toCallback(name, given)),
    (error: unknown) => deliver(error),
  )
}

/** The fields of an answer that a callback receives as separate arguments. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = { lookup: ['address', 'family'], lookupService: ['hostname', 'service'] }

function fromCallback(name: string, answer: readonly unknown[]): unknown {
  const fields = fieldsOf[name]
  const [first] = answer
  return fields === undefined || Array.isArray(first) ? first : Object.fromEntries(fields.map((field, index) => [field, answer[index]]))
}

function toCallback(name: string, given: unknown): readonly unknown[] {
  const fields = fieldsOf[name]
  return fields === undefined || Array.isArray(given) ? [given] : fields.map((field) => Reflect.get(given as object, field) as unknown)
}
