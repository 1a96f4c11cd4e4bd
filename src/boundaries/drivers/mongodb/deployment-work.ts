import { isPromise } from 'node:util/types'
import { currentScope, runInScope, scopeBelow } from '../../../run/scope.ts'
import { isFree } from '../../contact/make-contact.ts'
import { combine, type Restore } from '../../patches.ts'
import { connectHere, hearCalls, type Method, replaceMethods } from '../driver-work.ts'
import type { MakeServer } from '../served-connections.ts'
import type { MongoClient, MongoOptions } from './mongo-connection.ts'
import { type Deployment, mongoServer } from './mongo-server.ts'

/**
 * What the driver does to know a deployment and to hold connections to it. Versions before 6.6 have other connections, whose commands are no steps: there
 * all is left as it is, so that each connection is a contact.
 */
export function openPool(prototype: object): Restore {
  const names = ['checkOut', 'checkIn', 'createConnection', 'clear', 'ready', 'close', 'reauthenticate']
  return combine(connects(prototype, names, hasKnownConnections), waiting(prototype, ['checkOut']))
}

/** Topologies: what a client knows of its servers. */
export function openTopology(prototype: object): Restore {
  if (!Object.hasOwn(prototype, '_connect')) return replaceMethods(prototype, ['connect'], withinRun)
  const names = ['connect', 'selectServer', 'serverUpdateHandler', 'close']
  return combine(connects(prototype, names), waiting(prototype, ['connect', 'selectServer']))
}

/** Servers and their monitors. */
export function openUpkeep(prototype: object): Restore {
  return connects(prototype, ['connect', 'requestCheck', 'handleError', 'reset', 'close'])
}

/** Clients, which look up the servers of an SRV record first. In a replay the name of the record stands for them. */
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

/** Methods that may connect: what they do is the driver's own work, and where connections are refused there is a server in memory. */
function connects(prototype: object, names: readonly string[], isKnown: (driver: object) => boolean = () => true): Restore {
  return replaceMethods(prototype, names, (original) => {
    return function (...args) {
      const go = (): unknown => Reflect.apply(original, this, args)
      return isKnown(this) ? connectHere(deploymentOf(this).address, () => serverFor(this), go) : go()
    }
  })
}

/** Methods that wait for a connection: in a replay, the run is not stuck meanwhile. */
function waiting(prototype: object, names: readonly string[]): Restore {
  return replaceMethods(prototype, names, (original) => {
    return function (...args) {
      const result: unknown = Reflect.apply(original, this, args)
      const { run } = currentScope() ?? scopeBelow() ?? {}
      if (run?.mode === 'replay' && isPromise(result)) {
        const release = run.busy()
        result.then(release, release)
      }
      return result
    }
  })
}

/** Leaves the driver's own work again. */
function withinRun(original: Method): Method {
  return function (...args) {
    const go = (): unknown => Reflect.apply(original, this, args)
    const scope = scopeBelow()
    return scope === undefined || scope.below.live !== undefined ? go() : runInScope({ run: scope.run, owner: scope.owner }, go)
  }
}

function hasKnownConnections(pool: object): boolean {
  const { options } = pool as { readonly options?: { readonly connectionType?: { readonly prototype: { readonly sendWire?: unknown } } } }
  return isKnownSend(options?.connectionType?.prototype.sendWire)
}

/** Whether a method sends commands as that of mongodb 6.6 and later does: it gets the class of the reply. */
export function isKnownSend(sendWire: unknown): boolean {
  return typeof sendWire === 'function' && sendWire.length === 3
}

/** What a pool, a monitor, or a client knows of the deployment. */
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

/** An address of the driver's, or a text. */
function printHost(host: { toString(): string } | undefined): string {
  return host?.toString() ?? 'unknown'
}
