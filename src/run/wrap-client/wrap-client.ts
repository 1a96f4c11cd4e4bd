import { dressAs } from '../function-step.ts'
import { callClient } from './call-client.ts'
import { type Method, isCallable, isLocked, isOfEmitters, isWrappable, unlockedCopy } from './client-objects.ts'
import { addLink, linkOf } from './link.ts'

/**
 * Makes every method call of a client (a database driver, Redis, a vector index) a step: `wrapClient('orders', client).find(id)` is the
 * step `orders.find`; a method of a nested object is `orders.items.find`. Results with methods (a statement, a pipeline, a connection) are
 * wrapped in turn: `orders.prepare(sql).get(id)` is the step `orders.prepare`, and `orders.prepare.get` with the statement in its input. A
 * function that is passed to the client, such as a transaction's, is called in a replay as in the recording; if the client calls it
 * synchronously, the run cannot be promoted. Classes, plain values and builtin objects (dates, maps, bytes) are passed through unchanged,
 * and listeners are the agent's own.
 *
 * Outside of a run, it just calls the client. In a replay, reading a part of a result that could not be kept throws a `ValueNotKeptError`.
 *
 * @example
 * const orders = wrapClient('orders', new Pool())
 */
export function wrapClient<Client extends object>(name: string, client: Client): Client {
  const wrappers = new Map<string, { readonly value: object; readonly wrapped: unknown }>()
  // A proxy has to show its target's locked properties unchanged, so an unlocked copy is used for a client with such properties.
  const given: Client = new Proxy(isLocked(client) ? unlockedCopy(client) : client, {
    get(_target, key): unknown {
      const value: unknown = Reflect.get(client, key, client)
      if (typeof key === 'symbol' || key === 'constructor' || !isWrappable(value)) return value
      const known = wrappers.get(key)
      if (known?.value === value) return known.wrapped
      const wrapped = isCallable(value) ? methodOf(key, value) : wrapClient(`${name}.${key}`, value)
      wrappers.set(key, { value, wrapped })
      return wrapped
    },
    set: (_target, key, value) => Reflect.set(client, key, value, client),
    apply: (_target, self, args: readonly unknown[]) =>
      callClient({ ...link, path: name }, undefined, args, (changed) =>
        Reflect.apply(client as Method, linkOf(self)?.real ?? self, changed as never[]),
      ),
  })
  const link = addLink({ path: name, on: undefined, real: client, given, parent: undefined })

  const methodOf = (key: string, body: Method): Method => {
    const invoke = (args: readonly unknown[]): unknown => Reflect.apply(body, client, args as never[])
    if (isOfEmitters(client, key)) return dressAs((...args: readonly unknown[]) => backTo(invoke(args)), body)
    return dressAs((...args: readonly unknown[]) => callClient(link, key, args, invoke), body)
  }
  const backTo = (result: unknown): unknown => (result === client ? given : result)
  return given
}
