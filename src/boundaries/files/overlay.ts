import { dirname, isAbsolute, join, resolve } from 'node:path'
import { builtins } from '../../node/builtins.ts'
import { processWide } from '../../node/process-wide.ts'
import { runOutside } from '../../run/scope.ts'
import { bytesOfBody } from '../../trace/body.ts'
import { isWithin } from './file-patterns.ts'
import type { FileContent, FileState } from './file-state.ts'

/** The temporary tree of a replay. It holds what the recorded run found, and everything that the replayed run writes. */
export class Overlay {
  #root: string | undefined
  /** The recorded modification times by those of the tree: a time can be set only to within a fraction of a microsecond. */
  readonly #times = new Map<number, number>()

  /** The root folder of the tree, created on first use. */
  get root(): string {
    const { fs, os } = builtins
    if (this.#root !== undefined) return this.#root
    this.#root = fs.mkdtempSync(join(fs.realpathSync(os.tmpdir()), 'goldenrun-files-'))
    removeAtExit(this.#root)
    return this.#root
  }

  /** Returns the location of a path in the tree. */
  place(path: string): string {
    return join(this.root, path.replace(/^([A-Za-z]):/, '/$1'))
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
  toAgent(text: string): string {
    return this.#root === undefined ? text : text.replaceAll(this.#root, '')
  }

  /** Restores what the recorded run found at a path. */
  restore(path: string, state: FileState): void {
    const { fs } = builtins
    const place = this.place(path)
    switch (state.kind) {
      case 'file':
        return this.#restoreFile(place, state)
      case 'directory':
        if (!fs.existsSync(place) || !fs.statSync(place).isDirectory()) fs.rmSync(place, { force: true })
        fs.mkdirSync(place, { recursive: true })
        for (const { name, kind } of state.entries) makePlaceholder(join(place, name), kind)
        fs.chmodSync(place, state.mode | 0o700)
        return this.#setTime(place, state.modified)
      case 'link':
        fs.rmSync(place, { recursive: true, force: true })
        fs.mkdirSync(dirname(place), { recursive: true })
        fs.symlinkSync(this.targetOf(path, state.target), place)
        return
      case 'absent':
        fs.rmSync(place, { recursive: true, force: true })
        fs.mkdirSync(this.place(state.within), { recursive: true })
        return
      default:
    }
  }

  #restoreFile(place: string, state: FileContent): void {
    const { fs } = builtins
    fs.rmSync(place, { recursive: true, force: true })
    fs.mkdirSync(dirname(place), { recursive: true })
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
  recordedTime(modified: number): number {
    return this.#times.get(modified) ?? modified
  }

  /** Removes the tree. */
  remove(): void {
    if (this.#root !== undefined) builtins.fs.rmSync(this.#root, { recursive: true, force: true })
    if (this.#root !== undefined) left.roots.delete(this.#root)
    this.#root = undefined
  }
}

/** Trees of replays that have not ended. */
const left = processWide('file-overlays', () => ({ roots: new Set<string>(), isHeard: false }))

/** Removes the tree if the process exits in the middle of a replay. */
function removeAtExit(root: string): void {
  left.roots.add(root)
  if (left.isHeard) return
  left.isHeard = true
  process.on('exit', () => {
    for (const each of left.roots) runOutside(() => builtins.fs.rmSync(each, { recursive: true, force: true }))
  })
}

/** Creates an empty entry of a kind, until the run uses it. */
function makePlaceholder(place: string, kind: string): void {
  const { fs } = builtins
  if (fs.lstatSync(place, { throwIfNoEntry: false }) !== undefined) return
  if (kind === 'directory') fs.mkdirSync(place)
  else if (kind === 'link') fs.symlinkSync('not-read-by-the-recorded-run', place)
  else fs.writeFileSync(place, '')
}
