import type { Stats } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { builtins } from '../../node/builtins.ts'
import { runOutside } from '../../run/scope.ts'
import { bytesOfBody } from '../../trace/body.ts'
import { isWithin } from './file-patterns.ts'
import type { FileContent, FileState } from './file-state.ts'
import { makeTemporaryFolder, removeTemporaryFolder } from './temporary-folders.ts'

/** The temporary tree of a replay. It holds what the recorded run found, and everything that the replayed run writes. */
export class Overlay {
  #folder: string | undefined
  #ownFolders: RegExp | undefined
  #views = 0
  /** The recorded modification times by those of the tree: a time can be set only to within a fraction of a microsecond. */
  readonly #times = new Map<number, number>()

  /** Whether nothing has been put into the tree. */
  get isEmpty(): boolean {
    return this.#folder === undefined
  }

  /** The root folder of the tree, created on first use. */
  get root(): string {
    if (this.#folder !== undefined) return join(this.#folder, 'tree')
    this.#folder = makeTemporaryFolder()
    this.#ownFolders = new RegExp(
      String.raw`${this.#folder.replaceAll(/[.*+?^${'$'}{}()|[\]\\]/g, String.raw`\$&`)}[\\/](?:tree|view-\d+)(?=(.?))`,
      'g',
    )
    builtins.fs.mkdirSync(join(this.#folder, 'tree'))
    return join(this.#folder, 'tree')
  }

  /** Returns the location of a path in the tree. */
  place(path: string): string {
    return join(this.root, withoutColon(path))
  }

  /** Returns the location of a path in a new folder beside the tree, for what the run lists. */
  placeOfView(path: string): string {
    this.#views += 1
    return join(dirname(this.root), `view-${this.#views}`, withoutColon(path))
  }

  /** Returns whether a path is the folder that holds the tree. */
  isOwn(path: string): boolean {
    return path === this.#folder
  }

  /** Returns the target in the tree for a link at a path. It never leads out of the tree. */
  targetOf(path: string, target: string): string {
    if (isAbsolute(target)) return this.place(target)
    return isWithin(this.root, resolve(dirname(this.place(path)), target)) ? target : this.place(resolve(dirname(path), target))
  }

  /** Returns whether a write to a place stays in the tree, wherever links lead. */
  holds(place: string): boolean {
    const { fs } = builtins
    try {
      const isLink = fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true
      return isWithin(this.root, fs.realpathSync(isLink ? place : dirname(place)))
    } catch {
      return false
    }
  }

  /** Returns the text as the agent knows it, without the folder of the tree. */
  readonly toAgent = (text: string): string =>
    this.#ownFolders === undefined ? text : text.replaceAll(this.#ownFolders, (_folder, next: string) => (/[\\/]/.test(next) ? '' : '/'))

  /** Makes the folder of a path and those above it, with the permissions and times that the real ones have. */
  makeFolders(path: string): void {
    const { fs } = builtins
    const place = this.place(path)
    if (fs.existsSync(place)) return
    if (dirname(path) !== path) this.makeFolders(dirname(path))
    const real = fs.statSync(path, { throwIfNoEntry: false })
    this.keepingTime(dirname(path), () => {
      fs.mkdirSync(place)
      if (real?.isDirectory() === true) this.imitate(place, real)
    })
  }

  /** Changes what a folder of the tree holds without changing the folder's own time. */
  keepingTime(folder: string, change: () => void): void {
    const { fs } = builtins
    const place = this.place(folder)
    const before = fs.statSync(place, { throwIfNoEntry: false })
    change()
    if (before !== undefined) fs.utimesSync(place, before.atime, before.mtime)
  }

  /** Gives an entry of the tree the permissions and times of a real one. */
  imitate(place: string, { mode, atime, mtime }: Stats): void {
    const { fs } = builtins
    const isFolder = fs.statSync(place).isDirectory()
    fs.chmodSync(place, (isFolder ? mode | 0o700 : mode) & 0o7777)
    fs.utimesSync(place, atime, mtime)
  }

  /** Restores what the recorded run found at a path. */
  restore(path: string, state: FileState): void {
    const { fs } = builtins
    const place = this.place(path)
    switch (state.kind) {
      case 'file':
        return this.#restoreFile(path, state)
      case 'directory':
        if (!fs.existsSync(place) || !fs.statSync(place).isDirectory()) fs.rmSync(place, { force: true })
        this.makeFolders(path)
        for (const { name, kind } of state.entries) makePlaceholder(join(place, name), kind)
        fs.chmodSync(place, state.mode | 0o700)
        return this.#setTime(place, state.modified)
      case 'link':
        fs.rmSync(place, { recursive: true, force: true })
        this.makeFolders(dirname(path))
        fs.symlinkSync(this.targetOf(path, state.target), place)
        return
      case 'absent':
        fs.rmSync(place, { recursive: true, force: true })
        this.makeFolders(state.within)
        return
      default:
    }
  }

  #restoreFile(path: string, state: FileContent): void {
    const { fs } = builtins
    const place = this.place(path)
    fs.rmSync(place, { recursive: true, force: true })
    this.makeFolders(dirname(path))
    fs.writeFileSync(place, bytesOfBody(state))
    if (state.size !== undefined) fs.truncateSync(place, state.size)
    fs.chmodSync(place, state.mode)
    this.#setTime(place, state.modified)
  }

  #setTime(place: string, modified: number): void {
    const { fs } = builtins
    fs.utimesSync(place, modified / 1000, modified / 1000)
    this.#times.set(fs.statSync(place).mtimeMs, modified)
  }

  /** Returns the recorded modification time for a modification time in the tree. */
  readonly recordedTime = (modified: number): number => this.#times.get(modified) ?? modified

  /** Removes the tree. */
  remove(): void {
    if (this.#folder !== undefined) runOutside(() => removeTemporaryFolder(String(this.#folder)))
    this.#folder = undefined
  }
}

/** Creates an empty entry of a kind, until the run uses it. */
function makePlaceholder(place: string, kind: string): void {
  const { fs } = builtins
  if (fs.lstatSync(place, { throwIfNoEntry: false }) !== undefined) return
  if (kind === 'directory') fs.mkdirSync(place)
  else if (kind === 'link') fs.symlinkSync('not-read-by-the-recorded-run', place)
  else fs.writeFileSync(place, '')
}

function withoutColon(path: string): string {
  return path.replace(/^([A-Za-z]):/, '/$1')
}
