import type { Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { builtins } from '../../node/builtins.ts'
import { runOutside } from '../../run/scope.ts'
import { orElse } from '../../trace/or-else.ts'
import { asNested, callCovered, type FilesOfCall, type Form } from './covered-call.ts'
import { flagIn, isRecursive, opensToWrite, toTarget } from './file-functions.ts'
import { toNamedPath } from './file-path.ts'
import type { FoundPath } from './find-path.ts'
import { everything, type Layers } from './layers.ts'
import { recordedFailure, type Renaming } from './of-agent.ts'

/** What a function does at one of its paths. */
type Role = 'looks' | 'lists' | 'watches' | 'opens' | 'makes' | 'sets' | 'removes' | 'moves' | 'replaces' | 'copies'

/** What the functions do at their paths, unless they only look. */
const roles: Readonly<Record<string, readonly Role[]>> = {
  appendFile: ['opens'],
  chmod: ['sets'],
  chown: ['sets'],
  copyFile: ['looks', 'opens'],
  cp: ['copies', 'makes'],
  lchmod: ['sets'],
  lchown: ['sets'],
  link: ['sets', 'makes'],
  lutimes: ['sets'],
  mkdir: ['makes'],
  mkdtemp: ['makes'],
  opendir: ['lists'],
  readdir: ['lists'],
  rename: ['moves', 'replaces'],
  rm: ['removes'],
  rmdir: ['removes'],
  symlink: ['makes'],
  truncate: ['opens'],
  unlink: ['removes'],
  unwatchFile: ['watches'],
  utimes: ['sets'],
  watch: ['watches'],
  watchFile: ['watches'],
  writeFile: ['opens'],
  writeHeapSnapshot: ['opens'],
  writeReport: ['opens'],
}

/** A call of a function of `node:fs` for paths that are not recorded. */
export interface OwnCall {
  readonly files: FilesOfCall
  readonly form: Form
  readonly args: readonly unknown[]
  /** Calls the function itself. */
  readonly go: (args: unknown[]) => unknown
  readonly name: string
  /** Which of the arguments are paths. */
  readonly paths: readonly number[]
  /** Where these paths lead. */
  readonly found: readonly (FoundPath | undefined)[]
}

/** One path of a call. */
interface OwnPath {
  readonly call: OwnCall
  readonly role: Role
  readonly path: string
  /** As the agent wrote it. */
  readonly asked: string
}

/** What a replayed run does with files that are not recorded: it reads the real ones, and writes none. */
export class OwnFiles {
  readonly layers: Layers
  /** The working directory, if it is a folder that the run has made. */
  folder: string | undefined
  readonly #changed = new Set<string>()

  readonly #onChange: () => void

  /** @param onChange Called when the run changes a path. */
  constructor(layers: Layers, onChange: () => void) {
    this.layers = layers
    this.#onChange = onChange
  }

  /** Returns whether a call only reads, and nothing has been changed. */
  passes(name: string, args: readonly unknown[]): boolean {
    return this.layers.overlay.isEmpty && !changes(name, args)
  }

  /** Makes a call. */
  call(call: OwnCall): unknown {
    const { files, form, name, args, go, found } = call
    const paths = found.map((each, position): OwnPath | undefined => {
      if (each === undefined || isOfSystem(each.path)) return undefined
      const asked = toText(args[call.paths[position] ?? 0])
      return { call, role: roleOf(name, args, position), path: each.path, asked }
    })
    if (paths.every((each) => each === undefined)) return go([...args])
    if (!changes(name, args) && paths.every((each, position) => each === undefined || this.#isAsked(each, found[position])))
      return go([...args])
    const isWatched = paths[0]?.role === 'watches'
    const places = new Map<string, string>()
    const ready = (): unknown[] => runOutside(() => this.#place(call, paths, places))
    return callCovered({
      files,
      form: isWatched ? 'sync' : form,
      args,
      make: isWatched ? go : (own) => asNested(() => go(own)),
      ready,
      isOpen: true,
      renaming: this.renaming(name, places),
      done: () => runOutside(() => paths.forEach((each) => this.#isDone(each))),
    })
  }

  /** Returns how results and errors of a call are told to the agent. @param places What the agent wrote, by where it is. */
  renaming(name: string, places: ReadonlyMap<string, string>): Renaming {
    const { overlay } = this.layers
    const longest = (): [string, string][] => [...places].toSorted(([first], [second]) => second.length - first.length)
    const asAsked = (text: string): string =>
      overlay.toAgent(longest().reduce((told, [place, asked]) => told.replaceAll(place, () => asked), text))
    const isResolved = name === 'realpath' || name === 'readlink'
    return { toAgent: isResolved ? overlay.toAgent : asAsked, inErrors: asAsked, recordedTime: overlay.recordedTime }
  }

  /** Changes into a folder that the run has made, or returns false. */
  enters(path: string): boolean {
    const { layers } = this
    const isOwn = layers.place(path) !== path && layers.real(path)?.isDirectory() !== true
    this.folder = isOwn ? path : undefined
    return isOwn
  }

  /** The paths of files that the run has changed, unless nothing is left of the change. */
  changed(): string[] {
    const { layers } = this
    const isLeft = (path: string): boolean => {
      const entry = layers.entry(path)
      return entry === undefined ? entryOf(path) !== undefined : !entry.isDirectory()
    }
    return runOutside(() => [...this.#changed].filter(isLeft)).toSorted()
  }

  #change(path: string): void {
    this.#changed.add(path)
    this.#onChange()
  }

  /** @note A module of the tree knows its own path there. */
  #isAsked({ asked }: OwnPath, found: FoundPath | undefined): boolean {
    return found !== undefined && this.isReal(found) && this.layers.overlay.toAgent(asked) === asked
  }

  /** Returns whether a path leads to the disk, as the agent wrote it. */
  isReal({ path, named }: FoundPath): boolean {
    return this.folder === undefined && path === named && runOutside(() => this.layers.place(path)) === path
  }

  /** Returns the arguments for Node. */
  #place({ name, args, paths: indices }: OwnCall, paths: readonly (OwnPath | undefined)[], places: Map<string, string>): unknown[] {
    const own = [...args]
    for (const [position, each] of paths.entries()) {
      if (each === undefined) continue
      const place = this.#placeOf(each, paths)
      own[indices[position] ?? 0] = place
      places.set(place, each.asked)
      if (name === 'symlink') own[0] = this.layers.overlay.targetOf(each.path, toTarget(args[0]))
    }
    const filter: unknown = name === 'cp' ? Object(args[2]).filter : undefined
    if (typeof filter === 'function') {
      const { toAgent } = this.renaming(name, places)
      const asAgent = (...tried: string[]): unknown => Reflect.apply(filter, undefined, tried.map(toAgent)) as unknown
      own[2] = { ...(args[2] as object), filter: asAgent }
    }
    return own
  }

  #placeOf(each: OwnPath, all: readonly (OwnPath | undefined)[]): string {
    const { layers } = this
    const { role, path, call } = each
    if (role === 'looks') return layers.place(path)
    if (role === 'lists') return layers.placeToList(path, isRecursive(call.args[1]) ? [everything] : [])
    if (role === 'copies') return layers.placeToCopy(path, all[1]?.path)
    if (role !== 'watches') this.#checkPermitted(each)
    const isDevice = role === 'opens' && isSpecial(layers.entry(path))
    if (isDevice) return path
    if (role !== 'watches') this.#change(path)
    if (role === 'moves') return layers.bringTree(path)
    if (call.name === 'cp' && all[0] !== undefined) this.#bringAlong(all[0].path, path)
    const place = layers.bring(path)
    // Node fails if a folder that has to be empty is not: one of its entries is enough for that.
    const [first] = needsEmpty(each) && layers.entry(path)?.isDirectory() === true ? layers.names(path) : []
    if (first !== undefined) layers.bring(join(path, first))
    return place
  }

  /** Brings what a copied tree meets where it is copied to. */
  #bringAlong(from: string, to: string): void {
    const { layers } = this
    if (layers.entry(to) === undefined) return
    layers.bring(to)
    if (layers.entry(from)?.isDirectory() !== true) return
    for (const name of layers.names(from)) this.#bringAlong(join(from, name), join(to, name))
  }

  /** Fails as Node would: a copy in the tree is the run's own, whatever the permissions of the original. */
  #checkPermitted({ call, role, path }: OwnPath): void {
    const { layers } = this
    const { fs } = builtins
    const entry = layers.entry(path)
    const isOfEntry = role === 'removes' || role === 'moves'
    const isOfFolder = isOfEntry || role === 'replaces' || entry === undefined
    if ((isOfEntry && entry === undefined) || (!isOfFolder && role !== 'opens')) return
    const asking = isOfFolder ? this.#existing(dirname(path)) : path
    if (layers.real(asking) === undefined || (!isOfFolder && layers.isInTree(path))) return
    try {
      fs.accessSync(asking, fs.constants.W_OK)
    } catch (error) {
      const [named = '', to] = (call.name === 'symlink' ? [0, 1] : call.paths).map((index) => toText(call.args[index]))
      throw recordedFailure((error as NodeJS.ErrnoException).code ?? 'EACCES', systemCalls[call.name] ?? call.name.toLowerCase(), named, to)
    }
  }

  #existing(folder: string): string {
    return this.layers.entry(folder) !== undefined || dirname(folder) === folder ? folder : this.#existing(dirname(folder))
  }

  #isDone(each: OwnPath | undefined): void {
    if (each?.role === 'removes' || each?.role === 'moves' || each?.role === 'replaces') this.layers.hide(each.path)
  }
}

const systemCalls: Readonly<Record<string, string>> = { appendFile: 'open', readFile: 'open', truncate: 'open', writeFile: 'open' }

function needsEmpty({ role, call }: OwnPath): boolean {
  return role === 'replaces' || (call.name === 'rmdir' && !isRecursive(call.args[1]))
}

/** Returns whether a function may change what is at its paths. */
function changes(name: string, args: readonly unknown[]): boolean {
  const known = roles[name] ?? [opensBy(name, args)]
  return known.some((role) => role !== 'looks' && role !== 'lists')
}

function roleOf(name: string, args: readonly unknown[], position: number): Role {
  return roles[name]?.[position] ?? opensBy(name, args)
}

/** `open` and `readFile` change a file only with some flags. */
function opensBy(name: string, args: readonly unknown[]): Role {
  const flags = name === 'open' ? args[1] : name === 'readFile' ? flagIn(args[1]) : undefined
  return opensToWrite(flags) ? 'opens' : 'looks'
}

/** Devices, pipes and what the kernel tells of processes are no files. */
function isOfSystem(path: string): boolean {
  return process.platform !== 'win32' && /^\/(?:dev(?!\/shm\/)|proc|sys)(?:\/|$)/.test(path)
}

function isSpecial(entry: Stats | undefined): boolean {
  return entry !== undefined && !entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink()
}

function entryOf(path: string): Stats | undefined {
  return orElse(() => builtins.fs.lstatSync(path, { throwIfNoEntry: false }), undefined)
}

function toText(argument: unknown): string {
  return typeof argument === 'string' ? argument : Buffer.isBuffer(argument) ? argument.toString() : (toNamedPath(argument) ?? '')
}
