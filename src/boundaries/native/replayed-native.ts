import { builtins } from '../../node/builtins.ts'
import { network } from '../../node/own-network.ts'
import { programFile } from '../../node/own-file.ts'
import { onAddon, suspects } from './addons.ts'
import { countStarted } from './started-children.ts'
import { isStillThere, type Owned, readOwned } from './known-owners.ts'
import type { Seen } from './look-messages.ts'
import { readCounters } from './look.ts'
import { type LookThread, lookThread } from './look-thread.ts'
import { describeNative, nameOfSighting, type NativeContact } from './native-contact.ts'
import type { Sighting } from './sighting.ts'
import { orElse } from '../../trace/or-else.ts'

/** What a replay wants to know. */
export interface NativeReceiver {
  /** Whether a host, with its port, or a program may be contacted. */
  readonly isLive: (name: string) => boolean
  readonly onFound: (contact: NativeContact) => void
}

/** How it was when the watch began. */
interface Start {
  readonly counters: Seen['counters']
  readonly owned: Owned
  readonly started: number
}

/**
 * Watches, during a replay, what native code does past all doors: every connection and every child of this process that no event loop of Node's owns
 * is a contact. Does nothing before an addon that can make one is loaded, and nothing elsewhere than on Linux.
 */
export class ReplayedNative {
  readonly #receiver: NativeReceiver
  readonly #unlisten: () => void
  #thread: LookThread | undefined
  #start: Start | undefined
  #unwatch: (() => void) | undefined
  #hasEnded = false
  /** What was told, or may be there: what the kernel counts need not be something else. */
  readonly #found = new Set<Sighting['kind']>()

  constructor(receiver: NativeReceiver) {
    this.#receiver = receiver
    this.#unlisten = onAddon(() => void this.begin())
  }

  /** Resolves once the watch has begun; undefined if there is nothing to watch. */
  begin(): Promise<void> | undefined {
    if (this.#thread !== undefined || this.#hasEnded || process.platform !== 'linux' || suspects().length === 0) return undefined
    const file = programFile('boundaries/native/look-worker')
    if (file === undefined) return undefined
    // Now: what the addon does next may be over before the thread looks for the first time.
    this.#start = { counters: readCounters(), owned: readOwned(), started: countStarted() }
    const thread = lookThread(file)
    this.#thread = thread
    return this.#watch(thread)
  }

  /** Looks a last time, and stops watching. Undefined if there was nothing to watch. */
  end(): Promise<void> | undefined {
    const late = this.begin()
    this.#hasEnded = true
    this.#unlisten()
    const thread = this.#thread
    return thread === undefined ? undefined : this.#finish(thread, late)
  }

  async #watch(thread: LookThread): Promise<void> {
    const seen = await thread.ask()
    if (seen === undefined) return
    this.#meet(thread, seen)
    if (!this.#hasEnded) this.#unwatch = thread.watch('replay', (each) => this.#meet(thread, each))
  }

  async #finish(thread: LookThread, late: Promise<void> | undefined): Promise<void> {
    await late
    this.#unwatch?.()
    const seen = await thread.ask()
    if (seen === undefined) return
    this.#meet(thread, seen, true)
    this.#compare(seen)
  }

  /** What is not Node's and still there is a contact. What is gone may have been Node's. */
  #meet(thread: LookThread, { sightings }: Seen, isLast = false): void {
    if (sightings.length === 0) return
    const { isOwned } = readOwned()
    const isExplained = (sighting: Sighting): boolean => isOwned(sighting) || this.#receiver.isLive(nameOfSighting(sighting))
    thread.knows(sightings.filter(isOwned).map(({ id }) => id))
    for (const sighting of sightings) if (this.#receiver.isLive(nameOfSighting(sighting))) this.#found.add(sighting.kind)
    for (const sighting of sightings) {
      if (isExplained(sighting) || !isStillThere(sighting) || (!isLast && isStarting(sighting))) continue
      this.#tell(sighting.kind, nameOfSighting(sighting))
    }
  }

  /** Finds what began and ended between two looks, by what the kernel has counted. */
  #compare({ counters: { attempts, ended } }: Seen): void {
    const start = this.#start
    if (start === undefined) return
    // Nobody else has this network, and all doors to it are shut.
    if (network.isOwn && attempts > start.counters.attempts && !this.#found.has('connection')) this.#tell('connection')
    const { children } = readOwned()
    const isSame = countStarted() === start.started && String(children) === String(start.owned.children)
    // Other threads of a runner may start programs, and end them.
    if (builtins.workerThreads.isMainThread && isSame && ended > start.counters.ended && !this.#found.has('child')) this.#tell('child')
  }

  #tell(kind: Sighting['kind'], name?: string): void {
    this.#found.add(kind)
    this.#receiver.onFound(describeNative({ kind, ...(name !== undefined && { name }) }, suspects()))
  }
}

/** Until it runs its own program, a child has the name of the thread that started it. */
function isStarting(sighting: Seen['sightings'][number]): boolean {
  if (sighting.kind !== 'child' || sighting.lasts) return false
  const { readdirSync, readFileSync } = builtins.fs
  const names = readdirSync('/proc/self/task').map((thread) => orElse(() => readFileSync(`/proc/self/task/${thread}/comm`, 'utf8'), ''))
  return names.includes(`${sighting.program}\n`)
}
