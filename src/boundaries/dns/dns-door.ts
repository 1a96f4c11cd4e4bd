import { builtins } from '../../node/builtins.ts'
import { knownOrMade } from '../../trace/remember.ts'
import { currentScope, type Scope } from '../../run/scope.ts'
import { contactUnderWay, makeContact, type Refusal } from '../contact/make-contact.ts'
import { callDirectly } from '../direct-step.ts'
import { combine, replaceProperty, type Restore, sameEachTime } from '../patches.ts'
import { lookUpByCallback } from './look-up-by-callback.ts'
import { toDnsStep } from './to-dns-step.ts'

/** A function of `node:dns`. */
type Query = (...args: unknown[]) => unknown
type Queries = Record<string, Query>

/**
 * DNS: the module's functions, its promises, and both kinds of resolver. In a run, each query is a step; a lookup for a connection is part
 * of the connection. Outside of runs, a query is a contact.
 */
export function dnsDoor(): Restore {
  return combine(
    ...doorsOf(builtins.dns, byCallback),
    ...doorsOf(builtins.dns.Resolver.prototype, byCallback),
    ...doorsOf(builtins.dns.promises, byPromise),
    ...doorsOf(builtins.dns.promises.Resolver.prototype, byPromise),
  )
}

/** How a query delivers its answer. */
interface Form {
  /** Makes a query a step. @param go Makes the query with these arguments, or by default with the agent's. */
  look(scope: Scope, name: string, args: readonly unknown[], go: (args?: readonly unknown[]) => unknown): unknown
  refuse(refusal: Refusal, args: readonly unknown[]): unknown
}

const byCallback: Form = {
  look: lookUpByCallback,
  refuse({ error, later }, args) {
    const callback = args.at(-1)
    if (typeof callback !== 'function') throw error
    later(() => callback(error))
    return {}
  },
}

const byPromise: Form = {
  look: (scope, name, args, go) => callDirectly(scope, toDnsStep(name, args), () => go()),
  refuse: ({ error, later }) => new Promise((_resolve, reject) => later(() => reject(error))),
}

/** A query's name and its replacement. */
interface QueryDoor {
  readonly name: string
  readonly doorOf: (original: Query) => Query
}

// Cached, because there are about fifty.
const doors = new WeakMap<object, readonly QueryDoor[]>()

function doorsOf(home: object, form: Form): Restore[] {
  const known = knownOrMade(doors, home, () => findQueries(home as Queries, form))
  return known.map(({ name, doorOf }) => replaceProperty(home as Queries, name, doorOf))
}

/** `lookup`, `lookupService`, `resolve`, `resolve4` and similar, `reverse`. */
function findQueries(queries: Queries, form: Form): QueryDoor[] {
  const names = Object.getOwnPropertyNames(queries)
  return names
    .filter((name) => /^(lookup|resolve|reverse)/.test(name) && typeof queries[name] === 'function')
    .map((name) => ({ name, doorOf: sameEachTime((original) => createDoor(name, original, form)) }))
}

/** The functions' own properties stay: `util.promisify` reads one of `lookup`. */
function createDoor(name: string, original: Query, form: Form): Query {
  return new Proxy(original, {
    apply(target, self, args: unknown[]) {
      const go = (others: readonly unknown[] = args): unknown => Reflect.apply(target, self, others)
      const [host] = args
      // Node itself refuses invalid names, and addresses need no lookup.
      if (typeof host !== 'string' || (name === 'lookup' && (host === '' || builtins.net.isIP(host) !== 0))) return go()
      const scope = currentScope()
      if (scope !== undefined && contactUnderWay() === undefined && !isLive(scope, host)) return form.look(scope, name, args, go)
      return makeContact(
        () => ({ door: 'dns', host }),
        () => go(),
        (refusal) => form.refuse(refusal, args),
      )
    },
  })
}

function isLive({ run }: Scope, host: string): boolean {
  return run.mode === 'replay' && run.live.includes(host)
}
