import { builtins } from '../builtins.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { makeContact, type Refusal } from './make-contact.ts'

type Query = (...args: unknown[]) => unknown

/** DNS: the module's functions, its promises, and both kinds of resolver. */
export function dnsDoor(): Restore {
  return combine(
    ...doorsOf(builtins.dns, refuseByCallback),
    ...doorsOf(builtins.dns.Resolver.prototype, refuseByCallback),
    ...doorsOf(builtins.dns.promises, refuseByPromise),
    ...doorsOf(builtins.dns.promises.Resolver.prototype, refuseByPromise),
  )
}

/** `lookup`, `lookupService`, `resolve`, `resolve4` and its kin, `reverse`. */
function doorsOf(home: object, refuse: (refusal: Refusal, args: readonly unknown[]) => unknown): Restore[] {
  const queries = home as Record<string, Query>
  const names = Object.getOwnPropertyNames(home).filter(
    (name) => /^(lookup|resolve|reverse)/.test(name) && typeof queries[name] === 'function',
  )
  return names.map((name) => replaceProperty(queries, name, (original) => door(name, original, refuse)))
}

/** Their own properties stay: `util.promisify` reads one of `lookup`. */
function door(name: string, original: Query, refuse: (refusal: Refusal, args: readonly unknown[]) => unknown): Query {
  return new Proxy(original, {
    apply(target, self, args: unknown[]) {
      const go = (): unknown => Reflect.apply(target, self, args)
      const [host] = args
      // Node refuses what is no name, and looks up no address.
      if (typeof host !== 'string' || (name === 'lookup' && (host === '' || builtins.net.isIP(host) !== 0))) return go()
      return makeContact(
        () => ({ door: 'dns', host }),
        go,
        (refusal) => refuse(refusal, args),
      )
    },
  })
}

function refuseByCallback({ error, later }: Refusal, args: readonly unknown[]): unknown {
  const callback = args.at(-1)
  if (typeof callback !== 'function') throw error
  later(() => callback(error))
  return {}
}

function refuseByPromise({ error, later }: Refusal): Promise<never> {
  return new Promise((_resolve, reject) => later(() => reject(error)))
}
