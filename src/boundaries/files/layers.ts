import type { Dirent, Stats } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { builtins } from '../../node/builtins.ts'
import { runOutside } from '../../run/scope.ts'
import { orElse } from '../../trace/or-else.ts'
import { isWithin } from './file-patterns.ts'
import type { Overlay } from './overlay.ts'

/** The names of a pattern from a folder on: `**` stands for any number of folders. */
export type NamePattern = readonly string[]

/** A pattern of everything below a folder. */
export const everything: NamePattern = ['**']

/**
 * The files of a replay: the real ones, and over them the tree with what the run has changed. A path stands in the tree if the run has
 * changed it or something below it; a folder of the tree shows the real entries too, unless it is hidden.
 */
export class Layers {
  readonly overlay: Overlay
  /** Paths that the run has removed or replaced: neither they nor anything below them is read from the disk. */
  readonly #hidden = new Set<string>()

  constructor(overlay: Overlay) {
    this.overlay = overlay
  }

  /** Returns where to look for a path. */
  place(path: string): string {
    const { overlay } = this
    return !overlay.isEmpty && (this.#isHidden(path) || this.isInTree(path)) ? overlay.place(path) : path
  }

  isInTree(path: string): boolean {
    return !this.overlay.isEmpty && entryAt(this.overlay.place(path)) !== undefined
  }

  /** Returns what really stands at a path; undefined if the run does not see it. */
  real(path: string): Stats | undefined {
    return this.#isHidden(path) ? undefined : entryAt(path)
  }

  /** Returns what the run sees at a path. */
  entry(path: string): Stats | undefined {
    return entryAt(this.place(path))
  }

  /** Returns whether the run sees real entries beside those of the tree in a folder. */
  isMixed(path: string): boolean {
    return this.isInTree(path) && this.real(path)?.isDirectory() === true
  }

  /** Returns the names that the run sees in a folder. */
  names(path: string): string[] {
    const { fs } = builtins
    const real = this.real(path) === undefined ? [] : orElse(() => fs.readdirSync(path), [])
    const own = this.overlay.isEmpty ? [] : orElse(() => fs.readdirSync(this.overlay.place(path)), [])
    const seen = real.filter((name) => !this.#hidden.has(join(path, name)) && !this.overlay.isOwn(join(path, name)))
    return [...new Set([...seen, ...own])].toSorted(byBytes)
  }

  /** Puts what the run sees at a path into the tree, with the folders above it. Of a folder, not what is in it. */
  bring(path: string): string {
    const { overlay } = this
    const place = overlay.place(path)
    const real = this.isInTree(path) ? undefined : this.real(path)
    this.bringAbove(path)
    if (real !== undefined) overlay.keepingTime(dirname(path), () => copy(overlay, path, real))
    return place
  }

  /** The same for the folders above a path, as far as they exist. */
  bringAbove(path: string): void {
    const above = dirname(path)
    if (above === path || this.isInTree(above)) return
    this.bringAbove(above)
    if (this.real(above)?.isDirectory() === true) this.overlay.makeFolders(above)
    else if (this.isInTree(dirname(above))) this.bring(above)
  }

  /** The same as `bring`, with everything below a folder. */
  bringTree(path: string): string {
    const place = this.bring(path)
    if (this.entry(path)?.isDirectory() !== true) return place
    for (const name of this.names(path)) this.bringTree(join(path, name))
    this.hide(path)
    return place
  }

  /** Returns where Node copies a path from: a tree whose parts lie in both layers is copied from one of them. @param to Where to. Default: out of it. */
  placeToCopy(path: string, to?: string): string {
    this.#bringTarget(path)
    return this.isMixed(path) || (to !== undefined && isWithin(path, to)) ? this.bringTree(path) : this.place(path)
  }

  /** Before Node copies a link, it looks at what the link leads to. The links of the tree lead into the tree. */
  #bringTarget(path: string): void {
    if (!this.isInTree(path) || this.entry(path)?.isSymbolicLink() !== true) return
    const target = resolve(dirname(path), this.overlay.toAgent(builtins.fs.readlinkSync(this.place(path))))
    if (this.entry(target) !== undefined) this.bring(target)
  }

  /** The run has removed or replaced what really stands at a path. */
  hide(path: string): void {
    this.#hidden.add(path)
  }

  /**
   * Returns where to list a folder: one of its layers, or a view with the names of both.
   *
   * @param patterns What is listed below, as lists of names. Default: nothing.
   */
  placeToList(path: string, patterns: readonly NamePattern[] = []): string {
    if (!this.isMixed(path)) return this.place(path)
    const view = this.overlay.placeOfView(path)
    builtins.fs.mkdirSync(view, { recursive: true })
    this.#fillView(path, view, patterns)
    return view
  }

  #fillView(path: string, view: string, patterns: readonly NamePattern[]): void {
    const { fs } = builtins
    for (const [name, entry] of this.#entries(path)) {
      const [each, place] = [join(path, name), join(view, name)]
      if (entry.isDirectory()) {
        fs.mkdirSync(place)
        const below = patterns.flatMap((pattern) => belowIn(pattern, name))
        if (below.length > 0) this.#fillView(each, place, below)
      } else if (entry.isSymbolicLink())
        fs.symlinkSync(
          orElse(() => fs.realpathSync(this.place(each)), 'nowhere'),
          place,
        )
      else fs.writeFileSync(place, '')
    }
  }

  /** Returns what the run sees in a folder. */
  #entries(path: string): (readonly [name: string, entry: Stats | Dirent])[] {
    const isReal = !this.isInTree(path) && !this.#isHidden(path)
    if (!isReal) return this.names(path).flatMap((name) => [[name, this.entry(join(path, name))] as const].filter(isThere))
    const entries = orElse(() => builtins.fs.readdirSync(path, { withFileTypes: true }), [])
    return entries.map((entry) => [entry.name, entry] as const).filter(([name]) => !this.overlay.isOwn(join(path, name)))
  }

  #isHidden(path: string): boolean {
    for (let each = path; this.#hidden.size > 0; each = dirname(each)) {
      if (this.#hidden.has(each)) return true
      if (dirname(each) === each) return false
    }
    return false
  }
}

function belowIn(pattern: NamePattern, folder: string): NamePattern[] {
  const [first = '', ...others] = pattern
  if (first === '**') return [pattern, ...belowIn(others, folder)]
  return others.length > 0 && (first === folder || hasWildcard(first)) ? [others] : []
}

/** Returns whether a name of a pattern may stand for several names. */
function hasWildcard(name: string): boolean {
  return /[*?{[(!]/.test(name)
}

function isThere<Entry>(pair: readonly [string, Entry | undefined]): pair is readonly [string, Entry] {
  return pair[1] !== undefined
}

function entryAt(place: string): Stats | undefined {
  return orElse(() => runOutside(() => builtins.fs.lstatSync(place, { throwIfNoEntry: false })), undefined)
}

/** Copies an entry into the tree. Of what is neither a file nor a folder nor a link, an empty file stands there. */
function copy(overlay: Overlay, path: string, real: Stats): void {
  const { fs } = builtins
  const place = overlay.place(path)
  if (real.isSymbolicLink()) return fs.symlinkSync(overlay.targetOf(path, fs.readlinkSync(path)), place)
  if (real.isDirectory()) fs.mkdirSync(place)
  else if (real.isFile()) fs.copyFileSync(path, place, fs.constants.COPYFILE_FICLONE)
  else fs.writeFileSync(place, '')
  overlay.imitate(place, real)
}

function byBytes(first: string, second: string): number {
  return Buffer.compare(Buffer.from(first), Buffer.from(second))
}
