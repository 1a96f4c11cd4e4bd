import childProcess from 'node:child_process'
import crypto from 'node:crypto'
import dgram from 'node:dgram'
import dns from 'node:dns'
import { EventEmitter } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import inspector from 'node:inspector'
import inspectorPromises from 'node:inspector/promises'
import net from 'node:net'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import tls from 'node:tls'
import { promisify } from 'node:util'
import workerThreads from 'node:worker_threads'
import zlib from 'node:zlib'
import { expect, it } from 'vitest'
import * as undici from 'undici'
import { guardProcess } from '../../src/boundaries/contact/guard.ts'
import { installDoors } from '../../src/boundaries/doors.ts'
import { createRecorder } from '../../src/record/recorder.ts'
import { replay } from '../../src/replay/replay.ts'
import { provideTemporal } from '../boundaries/clock/provide-temporal.ts'
import { recordRun } from '../support/record-run.ts'
import { createTemporaryDirectory } from '../support/temporary-directory.ts'

// Node sets its dispatcher when fetch is first used.
await fetch('data:,').then((response) => response.text())
const session = http2.connect('http://localhost', { createConnection: () => new net.Socket() })

const temporal = provideTemporal()

/** Everything that any door is put on. */
const homes: Readonly<Record<string, object>> = {
  globalThis,
  process,
  Math,
  Date,
  'Date.prototype': Date.prototype,
  'Temporal.Now': temporal.Now,
  Intl,
  'Intl.DateTimeFormat.prototype': Intl.DateTimeFormat.prototype,
  'Number.prototype': Number.prototype,
  'BigInt.prototype': BigInt.prototype,
  'String.prototype': String.prototype,
  'Performance.prototype': Performance.prototype,
  'Crypto.prototype': Crypto.prototype,
  'SubtleCrypto.prototype': SubtleCrypto.prototype,
  AbortSignal,
  'AbortSignal.prototype': AbortSignal.prototype,
  'EventTarget.prototype': EventTarget.prototype,
  'Promise.prototype': Promise.prototype,
  EventEmitter,
  'EventEmitter.prototype': EventEmitter.prototype,
  crypto,
  timers,
  timersPromises,
  scheduler: timersPromises.scheduler,
  http,
  https,
  'http.Agent.prototype': http.Agent.prototype,
  'https.Agent.prototype': https.Agent.prototype,
  'http.ClientRequest.prototype': http.ClientRequest.prototype,
  http2,
  'http2.session': Object.getPrototypeOf(session) as object,
  net,
  'net.Socket.prototype': net.Socket.prototype,
  tls,
  'tls.TLSSocket.prototype': tls.TLSSocket.prototype,
  dgram,
  'dgram.Socket.prototype': dgram.Socket.prototype,
  dns,
  'dns.promises': dns.promises,
  'dns.Resolver.prototype': dns.Resolver.prototype,
  'dns.promises.Resolver.prototype': dns.promises.Resolver.prototype,
  childProcess,
  'ChildProcess.prototype': childProcess.ChildProcess.prototype,
  workerThreads,
  inspector,
  inspectorPromises,
  zlib,
  undici,
  'undici.Client.prototype': undici.Client.prototype,
  'undici.Pool.prototype': undici.Pool.prototype,
  'undici.Agent.prototype': undici.Agent.prototype,
  'undici.Dispatcher.prototype': undici.Dispatcher.prototype,
  'undici.DispatcherBase.prototype': Object.getPrototypeOf(undici.Agent.prototype) as object,
}
session.destroy()

/** By `home.property.attribute`. Reading a getter of the global object may load what it stands for, so none is called. */
function takeStock(): Map<string, unknown> {
  const found = Object.entries(homes).flatMap(([name, home]) =>
    Reflect.ownKeys(home).flatMap((key) =>
      Object.entries(Object.getOwnPropertyDescriptor(home, key) ?? {}).map(
        ([attribute, value]) => [`${name}.${String(key)}.${attribute}`, value] as const,
      ),
    ),
  )
  return new Map<string, unknown>([...found, ['promisified', promisify(setTimeout)], ['env', process.env]])
}

function differing(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((name) => !Object.is(before.get(name), after.get(name)))
}

const { trace } = await recordRun(() => 'done')
const foreign = { ...trace, header: { ...trace.header, runtime: { ...trace.header.runtime, locale: 'de-DE', timeZone: 'Asia/Tokyo' } } }
const german = { ...trace, header: { ...trace.header, runtime: { ...trace.header.runtime, locale: 'de-DE' } } }

const users: Readonly<Record<string, () => Promise<() => unknown>>> = {
  'installed doors': async () => installDoors(),
  'a guard': async () => guardProcess(),
  'a recorder': async () => {
    const directory = await createTemporaryDirectory()
    const recorder = createRecorder({ store: directory.resolve('runs') })
    await recorder.run({ agent: 'agent', input: 1 }, () => fetch('data:,'))
    return async () => {
      await recorder.close()
      await directory[Symbol.asyncDispose]()
    }
  },
  'a replay': async () => startReplay(trace),
  'a replay in another country': async () => startReplay(foreign),
  'a replay in another language': async () => startReplay(german),
  'and another': async () => startReplay(german),
}

/** A replay that is under way until it is released. */
async function startReplay(of: typeof trace): Promise<() => Promise<unknown>> {
  const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const running = replay(of, async () => {
    started.resolve()
    for (let isOpen = true; isOpen;)
      isOpen = await Promise.race([gate.promise.then(() => false), new Promise<boolean>((resolve) => setImmediate(resolve, true))])
    return 'done'
  })
  await started.promise
  return async () => {
    gate.resolve()
    await running
    // Node reports rejections after the microtasks in which a replay ends.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

it.each(Object.entries(users))('leaves nothing behind when the last user is gone: %s', async (_name, use) => {
  const before = takeStock()
  const release = await use()
  const changed = differing(before, takeStock())
  expect(changed).toEqual(expect.arrayContaining(['globalThis.fetch.value', 'Math.random.value', 'net.Socket.prototype.connect.value']))
  await release()
  expect(differing(before, takeStock())).toEqual([])
})

it('leaves nothing behind, in whatever order the users go', async () => {
  const before = takeStock()
  for (const isLastFirst of [true, false]) {
    const releases: (() => unknown)[] = []
    for (const use of Object.values(users).filter((each) => each !== users['a replay in another country'])) releases.push(await use())
    for (const release of isLastFirst ? releases.toReversed() : releases) {
      expect(differing(before, takeStock()).length).toBeGreaterThan(50)
      await release()
    }
    expect(differing(before, takeStock())).toEqual([])
  }
})

it('puts each kind of door on', async () => {
  const before = takeStock()
  const release = await startReplay(foreign)
  // The class of a dispatcher is met when one is made.
  const dispatcher = new undici.Agent()
  const changed = differing(before, takeStock())
  await release()
  await dispatcher.destroy()
  expect(differing(before, takeStock())).toEqual([])
  expect(changed).toEqual(
    expect.arrayContaining([
      'globalThis.fetch.value',
      'globalThis.Symbol(undici.globalDispatcher.1).value',
      'http.Agent.prototype.addRequest.value',
      'undici.DispatcherBase.prototype.dispatch.value',
      'crypto.randomUUID.value',
      'Crypto.prototype.getRandomValues.value',
      'globalThis.setTimeout.value',
      'timersPromises.setTimeout.value',
      'AbortSignal.timeout.value',
      'process.env.value',
      'env',
      'Intl.NumberFormat.value',
      'Temporal.Now.instant.value',
      'Performance.prototype.timeOrigin.get',
      'promisified',
      'net.Socket.prototype._writeGeneric.value',
      'dns.lookup.value',
      'childProcess.spawnSync.value',
      'workerThreads.Worker.value',
      'inspector.open.value',
      'http2.session.request.value',
      'dgram.Socket.prototype.send.value',
    ]),
  )
})

it('shows properties as enumerable as they were', () => {
  const enumerable = (): string[] => Object.values(homes).flatMap((home) => Object.keys(home))
  const before = enumerable()
  const release = installDoors()
  expect(enumerable()).toEqual(before)
  release()
})
