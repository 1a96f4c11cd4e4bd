import { builtins } from '../../node/builtins.ts'
import { combine, replaceProperty, type Restore, sameEachTime } from '../patches.ts'
import { makeContact, type Refusal } from './make-contact.ts'
import { knownOrMade } from '../../node/remember.ts'

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

type Queries = Record<string, Query>
type Refuse = (refusal: Refusal, args: readonly unknown[]) => unknown

/** A query by its name, and its replacement. */
interface QueryDoor {
  readonly name: string
  readonly doorOf: (original: Query) => Query
}

// There are about fifty, so they are cached.
const doors = new WeakMap<object, readonly QueryDoor[]>()

function doorsOf(home: object, refuse: Refuse): Restore[] {
  const known = knownOrMade(doors, home, () => findQueries(home as Queries, refuse))
  return known.map(({ name, doorOf }) => replaceProperty(home as Queries, name, doorOf))
}

/** `lookup`, `lookupService`, `resolve`, `resolve4` and similar, `reverse`. */
function findQueries(queries: Queries, refuse: Refuse): QueryDoor[] {
  const names = Object.getOwnPropertyNames(queries)
  return names
    .filter((name) => /^(lookup|resolve|reverse)/.test(name) && typeof queries[name] === 'function')
    .map((name) => ({ name, doorOf: sameEachTime((original) => createDoor(name, original, refuse)) }))
}

/** Their own properties stay: `util.promisify` reads one of `lookup`. */
function createDoor(name: string, original: Query, refuse: Refuse): Query {
  return new Proxy(original, {
    apply(target, self, args: unknown[]) {
      const go = (): unknown => Reflect.apply(target, self, args)
      const [host] = args
      // Node refuses invalid names, and does not look up addresses.
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
