import { bindScope, currentScope, runBelow, runInScope, type Scope } from '../../../run/scope.ts'
import { Arrival } from '../../arrival.ts'
import { answerDriverCall, type DriverCall, recordRefusable } from '../driver-call.ts'
import type { MethodCall } from '../driver-work.ts'
import { askFor, type PoolStep } from './asking.ts'
import { askedOf, formatAsked, sendsFile, sqlCall } from './mysql-call.ts'
import { kindOf, type MysqlCommand, type MysqlPool } from './mysql-client.ts'
import { watchCommand } from './watch-command.ts'

/** The call that needs a connection, while it asks for one. */
let waiting: PoolStep | undefined

/** Makes a pool's call a step where the agent makes it: when the pool has a connection for it depends on other runs. */
export function callPool({ self, args, go, goWith }: MethodCall): unknown {
  const scope = currentScope()
  const asked = askedOf(args)
  if (scope === undefined || asked === undefined || sendsFile(asked.sql)) return go()
  const call = sqlCall(
    scope,
    self,
    formatAsked(asked, (sql, values) => (self as MysqlPool).format(sql, values)),
  )
  const make = (step: PoolStep): unknown => runInScope(scope, () => callIn(scope, step, () => goWith(withCallback(args, step))))
  if (scope.run.mode === 'record') return recordCall(scope, call, make)
  const answer = answerDriverCall(scope, call)
  answer.catch(() => undefined)
  return make({ call, arrival: new Arrival(), answer })
}

function recordCall(scope: Scope, call: DriverCall, go: (step: PoolStep) => unknown): unknown {
  const arrival = new Arrival()
  return recordRefusable(scope, call, arrival, () => go({ call, arrival }))
}

/** Makes a pool's work with a connection part of the call that needs it. That call is the step, not getting the connection. */
export function connectForCall({ args: [callback], go, goWith }: MethodCall): unknown {
  const [step, scope] = [waiting, currentScope()]
  if (step === undefined || scope === undefined || typeof callback !== 'function') return go()
  waiting = undefined
  const take = bindScope((...given: unknown[]) => askFor(step, () => Reflect.apply(callback, undefined, given) as unknown))
  return runBelow(scope, {}, () => goWith([take]))
}

function callIn(scope: Scope, step: PoolStep, make: () => unknown): unknown {
  waiting = step
  try {
    const result = make()
    // If the pool gets no connection, the query itself reports it.
    if (isQuery(result) && typeof result.onResult !== 'function')
      watchCommand(scope, result, { failed: (error) => step.arrival.fail(error) })
    return result
  } finally {
    waiting = undefined
  }
}

function isQuery(result: unknown): result is MysqlCommand {
  return typeof result === 'object' && result !== null && kindOf(result as MysqlCommand) === 'query'
}

/** The agent's callback gets its context back. The pool's own errors come no sooner than in the recording. */
function withCallback(args: readonly unknown[], { arrival, answer }: PoolStep): unknown[] {
  const callback: unknown = args.at(-1)
  if (typeof callback !== 'function') return [...args]
  const whenAnswered = waitingFor(answer)
  const told = bindScope((error: unknown, ...rest: unknown[]): void => {
    const tell = (): unknown => Reflect.apply(callback, undefined, [error, ...rest])
    if (error) arrival.fail(error)
    if (error) whenAnswered(tell)
    else tell()
  })
  return [...args.slice(0, -1), told]
}

/** Calls immediately if the answer has come or none is expected. */
function waitingFor(answer: Promise<unknown> | undefined): (go: () => unknown) => void {
  let isAnswered = answer === undefined
  const settles = (): unknown => (isAnswered = true)
  answer?.then(settles, settles)
  return (go) => void (isAnswered ? go() : answer?.then(go, go))
}
