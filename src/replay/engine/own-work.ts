import { type AsyncHook, AsyncResource, createHook } from 'node:async_hooks'
import { realTimers } from '../../node/real-timers.ts'
import { currentScope } from '../../run/scope.ts'

/** A piece of work without any activity for this long is no longer waited for, in real milliseconds. */
const longestPiece = 120_000

/** Where a replay was when work began. Each piece that finishes gets its own object. */
export interface WorkStart {
  /** How many calls had been made. */
  readonly made: number
  /** The place in the trace of the last completion released. */
  readonly place: number
}

/**
 * Resources that are not work of the run: they end within the turn in which they were created, wait for the run itself, or are handles that
 * may stay open forever (a listener for a signal, a server, a stream that nobody reads). Reads and writes through a handle have resources of
 * their own.
 */
const idleTypes = new Set([
  'PROMISE',
  'TickObject',
  'Microtask',
  'Immediate',
  'Timeout',
  'HTTPINCOMINGMESSAGE',
  'HTTPCLIENTREQUEST',
  'AsyncLocalStorage',
  'BLOBREADER',
  'DIRHANDLE',
  'DNSCHANNEL',
  'ELDHISTOGRAM',
  'FILEHANDLE',
  'FSEVENTWRAP',
  'HEAPSNAPSHOT',
  'HTTP2SESSION',
  'HTTP2STREAM',
  'JSSTREAM',
  'MESSAGEPORT',
  'PIPESERVERWRAP',
  'PIPEWRAP',
  'PROCESSWRAP',
  'SIGNALWRAP',
  'STATWATCHER',
  'TCPSERVERWRAP',
  'TCPWRAP',
  'TLSWRAP',
  'TTYWRAP',
  'UDPWRAP',
  'WORKER',
])

interface Watched {
  readonly resource: object
  readonly type: string
  /** Cryptography that ends with a WebCrypto promise. */
  readonly isPromised: boolean
  /** Where it began, or where the work that led to it began. */
  readonly start: WorkStart
  /** The time of its last activity, in real milliseconds. */
  heard: number
}

const watchers = new Map<object, OwnWork>()
const owners = new Map<number, OwnWork>()
let hook: AsyncHook | undefined

/** The work that a run does itself: work that only the event loop knows of (files, compression, key derivation, a worker), and live work. */
export class OwnWork {
  /** If any work has finished since something else reached the run, what the run does now follows from it: where that work began. */
  behind: WorkStart | undefined
  readonly under: Map<number, Watched> = new Map()
  readonly here: () => WorkStart
  readonly #run: object
  readonly #longest: number
  /** The number of pieces in progress that have no resource of their own. */
  #live = 0

  constructor(run: object, here: () => WorkStart, longest: number) {
    this.here = here
    this.#run = run
    this.#longest = longest
  }

  /** Begins a piece that is waited for however long it takes. @param over Called when it has finished. @returns To be called once, when it has. */
  begin(over: () => void): () => void {
    const { start } = this
    this.#live += 1
    return () => {
      this.#live -= 1
      this.finish(start)
      over()
    }
  }

  /** Where a piece that begins now starts. Work that follows from other work has the start of the first. */
  get start(): WorkStart {
    return this.behind ?? this.here()
  }

  /** A piece has finished. */
  finish(start: WorkStart): void {
    this.behind = { ...start }
  }

  /** Whether any work is in progress that may still finish. */
  isUnderWay(): boolean {
    return this.#live > 0 || this.#isAny((watched) => this.#isAwaited(watched))
  }

  /** Something else reaches the run. Returns whether any work is in progress. */
  passes(): boolean {
    this.behind = undefined
    return this.isUnderWay()
  }

  /** Whether any work has been in progress since something else last reached the run. */
  get hasWorked(): boolean {
    return this.behind !== undefined || this.isUnderWay()
  }

  /** Whether any work was given up on, because it has been inactive for too long. */
  get isGivenUp(): boolean {
    return this.#isAny((watched) => !this.#isAwaited(watched))
  }

  stop(): void {
    watchers.delete(this.#run)
    for (const id of this.under.keys()) owners.delete(id)
    if (watchers.size === 0) hook?.disable()
  }

  #isAny(is: (watched: Watched) => boolean): boolean {
    for (const watched of this.under.values()) if (isWorking(watched) && is(watched)) return true
    return false
  }

  #isAwaited({ heard }: Watched): boolean {
    return realTimers.now() - heard < this.#longest
  }
}

/**
 * Watches the work that a run starts on the event loop. `process.getActiveResourcesInfo()` does not show zlib, key derivation and
 * `fs.promises`. Async hooks, filtered by run, see everything except the compilation of WebAssembly.
 *
 * @param here Returns the position of the replay.
 * @param longest How long to wait for an inactive piece, in real milliseconds. Default: two minutes.
 */
export function watchOwnWork(run: object, here: () => WorkStart, longest: number = longestPiece): OwnWork {
  const work = new OwnWork(run, here, longest)
  watchers.set(run, work)
  hook ??= createHook({ init, after: done, trackPromises: false })
  hook.enable()
  return work
}

function init(id: number, type: string, _trigger: number, resource: object): void {
  // Resources created by JavaScript (a bound callback, the end of a stream) only carry a context.
  if (idleTypes.has(type) || resource instanceof AsyncResource) return
  const run = currentScope()?.run
  const watcher = run === undefined ? undefined : watchers.get(run)
  if (watcher === undefined) return
  const isPromised = type.endsWith('REQUEST') && /\bat SubtleCrypto\./.test(new Error('at').stack ?? '')
  watcher.under.set(id, { type, resource, isPromised, start: watcher.start, heard: realTimers.now() })
  owners.set(id, watcher)
}

function done(id: number): void {
  const watcher = owners.get(id)
  const watched = watcher?.under.get(id)
  if (watcher === undefined || watched === undefined) return
  watcher.finish(watched.start)
  watched.heard = realTimers.now()
  // A compressor continues after each chunk.
  if (watched.type === 'ZLIB') return
  watcher.under.delete(id)
  owners.delete(id)
}

function isWorking({ type, resource, isPromised }: Watched): boolean {
  // Synchronous cryptography (`pbkdf2Sync`) starts here and never ends; asynchronous cryptography has a callback.
  if (type.endsWith('REQUEST')) return isPromised || 'ondone' in resource
  // A blob of a file creates one for itself that never ends.
  if (type === 'FSREQCALLBACK') return 'oncomplete' in resource
  // An open compressor is idle until it is written to; while it works, it holds a buffer. One that has failed holds it for ever.
  return type !== 'ZLIB' || ('buffer' in resource && resource.buffer !== null && resource.buffer !== undefined && !isDestroyed(resource))
}

/** Whether the stream of a handle is destroyed. Source: Node, lib/zlib.js, `zlibOnError`. */
function isDestroyed(handle: object): boolean {
  const owner = Object.getOwnPropertySymbols(handle).find(({ description }) => description === 'owner_symbol')
  return owner !== undefined && (Reflect.get(handle, owner) as { readonly destroyed?: boolean } | undefined)?.destroyed === true
}
