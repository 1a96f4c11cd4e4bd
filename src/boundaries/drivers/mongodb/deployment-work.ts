import { isPromise } from 'node:util/types'
import { currentScope, runInScope, scopeBelow } from '../../../run/scope.ts'
import { isFree } from '../../contact/make-contact.ts'
import { combine, type Restore } from '../../patches.ts'
import { connectHere, hearCalls, type MethodCall, replaceMethods } from '../driver-work.ts'
import type { MakeServer } from '../served-connections.ts'
import type { MongoClient, MongoOptions } from './mongo-connection.ts'
import { type Deployment, mongoServer } from './mongo-server.ts'

/**
 * The driver's work to discover a deployment and to keep connections to it. Versions before 6.6 have other connections, whose commands are not
 * steps: there everything is left as it is, so each connection is a contact.
 */
export function openPool(prototype: object): Restore {
  const names = ['checkOut', 'checkIn', 'createConnection', 'clear', 'ready', 'close', 'reauthenticate']
  return combine(connects(prototype, names, hasKnownConnections), waiting(prototype, ['checkOut']))
}

/** Topologies: a client's view of its servers. */
export function openTopology(prototype: object): Restore {
  if (!Object.hasOwn(prototype, '_connect')) return replaceMethods(prototype, ['connect'], withinRun)
  const names = ['connect', 'selectServer', 'serverUpdateHandler', 'close']
  return combine(connects(prototype, names), waiting(prototype, ['connect', 'selectServer']))
}

/** Servers and their monitors. */
export function openUpkeep(prototype: object): Restore {
  return connects(prototype, ['connect', 'requestCheck', 'handleError', 'reset', 'close'])
}

/** Clients, which first look up the servers of an SRV record. In a replay the record's name stands in for them. */
export function openConnect(prototype: object): Restore {
  return combine(
    connects(prototype, ['connect']),
    hearCalls(prototype, ['connect'], (client) => {
      const options = (client as MongoClient).s?.options
      const { run } = currentScope() ?? scopeBelow() ?? {}
      const isServed = run === undefined ? !isFree() : run.mode === 'replay'
      if (isServed && typeof options?.srvHost === 'string') {
        options.hosts = [`${options.srvHost}:27017`]
        delete options.srvHost
      }
    }),
  )
}

/** Methods that may connect: they are the driver's own work, and where connections are refused, a server in memory answers. */
function connects(prototype: object, names: readonly string[], isKnown: (driver: object) => boolean = () => true): Restore {
  return replaceMethods(prototype, names, ({ self, go }) => {
    if (!isKnown(self)) return go()
    return connectHere(deploymentOf(self).address, () => serverFor(self), go)
  })
}

/** Methods that wait for a connection: in a replay, the run counts as busy meanwhile. */
function waiting(prototype: object, names: readonly string[]): Restore {
  return replaceMethods(prototype, names, ({ go }) => {
    const result = go()
    const { run } = currentScope() ?? scopeBelow() ?? {}
    if (run?.mode === 'replay' && isPromise(result)) {
      const release = run.busy()
      result.then(release, release)
    }
    return result
  })
}

/** Leaves the driver's own work and returns to the run. */
function withinRun({ go }: MethodCall): unknown {
  const scope = scopeBelow()
  return scope === undefined || scope.below.live !== undefined ? go() : runInScope({ run: scope.run, owner: scope.owner }, go)
}

function hasKnownConnections(pool: object): boolean {
  const { options } = pool as { readonly options?: { readonly connectionType?: { readonly prototype: { readonly sendWire?: unknown } } } }
  return isKnownSend(options?.connectionType?.prototype.sendWire)
}

/** Whether a method sends commands as in mongodb 6.6 and later: it takes the class of the reply. */
export function isKnownSend(sendWire: unknown): boolean {
  return typeof sendWire === 'function' && sendWire.length === 3
}

/** The view that a pool, a monitor or a client has of the deployment. */
interface Deployed {
  readonly options?: MongoOptions
  readonly s?: { readonly options?: MongoOptions }
  /** Of a monitor. */
  readonly connectOptions?: MongoOptions
  readonly address?: string
  readonly name?: string
}

function serverFor(driver: object): MakeServer {
  const deployment = deploymentOf(driver)
  return (socket) => mongoServer(socket, deployment)
}

function deploymentOf(driver: object): Deployment {
  const { options, s, connectOptions, address, name } = driver as Deployed
  const { replicaSet, loadBalanced = false, hosts } = { ...s?.options, ...connectOptions, ...options }
  return { address: address ?? name ?? printHost(hosts?.[0]), replicaSet, isLoadBalanced: loadBalanced }
}

/** One of the driver's addresses, or a string. */
function printHost(host: { toString(): string } | undefined): string {
  return host?.toString() ?? 'unknown'
}
