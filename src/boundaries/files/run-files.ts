import { join } from 'node:path'
import { types } from 'node:util'
import { builtins } from '../../node/builtins.ts'
import { processWide } from '../../node/process-wide.ts'
import { knownOrMade } from '../../trace/remember.ts'
import type { RecordedFiles } from '../../trace/run-row.ts'
import type { ActiveRun } from '../../run/active-run.ts'
import { runOutside, type Scope } from '../../run/scope.ts'
import { callDirectly, type DirectStep } from '../direct-step.ts'
import { ResultOrder } from './result-order.ts'
import { CoveredPaths } from './covered-paths.ts'
import { toNamedPath } from './file-path.ts'
import { type FileState, readState } from './file-state.ts'
import { findPath, type FoundPath, type Links } from './find-path.ts'
import type { Overlay } from './overlay.ts'
import { UnansweredFileStep } from './unanswered-file-step.ts'
import type { OwnFiles } from './own-files.ts'

/** Which files of a run are recorded, with facts known in advance. */
export interface KnownFiles extends RecordedFiles {
  /** The targets of the links that the recorded run read. */
  readonly links?: ReadonlyMap<string, string>
}

/** A run's files that are recorded or answered. */
export class RunFiles {
  /** Set in a replay. */
  readonly overlay: Overlay | undefined
  /** Set in a replay: the files that are not recorded. */
  readonly own: OwnFiles | undefined
  readonly maxBytes: number
  /** Whether any path is recorded. */
  readonly isRecorded: boolean
  readonly order: ResultOrder
  readonly #covered: CoveredPaths
  readonly #links: Links
  readonly #touched = new Set<string>()
  readonly #unreadable = new Map<string, string>()

  constructor(run: ActiveRun, { record, maxBytes, links }: KnownFiles, own?: OwnFiles) {
    this.own = own
    this.overlay = own?.layers.overlay
    this.#covered = new CoveredPaths(record)
    this.order = new ResultOrder(run)
    this.maxBytes = maxBytes
    this.isRecorded = record.length > 0
    this.#links = {
      covered: this.#covered,
      place: (path) => this.place(path),
      recorded: (path) => (this.#touched.has(path) ? undefined : links?.get(path)),
      toAgent: (target) => this.overlay?.toAgent(target) ?? target,
    }
  }

  /** Returns whether a path is recorded. Its links have to be followed already. */
  covers(path: string): boolean {
    return this.#covered.covers(path)
  }

  /** Returns whether a folder may contain recorded paths without being recorded itself. */
  contains(folder: string): boolean {
    return this.#covered.contains(folder)
  }

  /** Records a path and everything below it from now on. */
  cover(path: string): void {
    this.#covered.add(path)
  }

  /** Returns where an argument of a `node:fs` function leads; undefined for a descriptor. @param followsLast Whether the function follows a final link. */
  find(argument: unknown, followsLast = true): FoundPath | undefined {
    const named = toNamedPath(argument)
    return named === undefined ? undefined : findPath(this.overlay?.toAgent(named) ?? named, followsLast, this.#links)
  }

  /** Returns where to look for a path, with the links of the temporary tree on the way to it. */
  placeOf({ path, named, links }: FoundPath): string {
    const { overlay } = this
    if (overlay === undefined) return named
    if (!this.covers(path)) return this.place(path)
    const place = overlay.place(named)
    // Node follows the links of the tree only if they stay in it, which a copied or moved link may not.
    return links.length === 0 || runOutside(() => overlay.holds(place)) ? place : overlay.place(path)
  }

  /** The run uses a path: makes steps of the links on the way to it and of the path's content. @throws UnansweredFileStep */
  use(scope: Scope, { path, links }: FoundPath): void {
    if (!this.covers(path)) return
    for (const link of links) {
      this.cover(link)
      this.touch(scope, link)
    }
    this.touch(scope, path)
  }

  /** Marks a path as already in the tree, so that reading it is not a step. */
  brought(path: string): void {
    this.cover(path)
    this.#touched.add(path)
  }

  /** Returns where to look for a path. */
  place(path: string): string {
    if (this.overlay === undefined) return path
    return this.covers(path) ? this.overlay.place(path) : (this.own?.layers.place(path) ?? path)
  }

  /**
   * The run uses a path. The first use reads the path's state as a step.
   *
   * @throws UnansweredFileStep
   */
  touch(scope: Scope, path: string): void {
    if (this.#touched.has(path) || !this.covers(path)) return
    this.#touched.add(path)
    const { maxBytes, overlay } = this
    const read = (): FileState => runOutside(() => readState(path, maxBytes))
    const state = this.take(scope, { name: 'file read', effect: 'read', input: { path } }, path, read) as FileState
    if (state.kind === 'file' && state.size !== undefined) this.#keepsNot(scope, path, state.size)
    if (state.kind === 'file' && state.unreadable !== undefined) this.#unreadable.set(path, state.unreadable)
    if (state.kind === 'error') this.#unreadable.set(path, state.code)
    if (overlay !== undefined) runOutside(() => overlay.restore(path, state))
  }

  /** The same for everything below a folder. @param withContent Whether its files are read too. */
  touchTree(scope: Scope, path: string, withContent: boolean, above: readonly string[] = []): void {
    this.touch(scope, path)
    if (above.includes(path)) return
    const entries = runOutside(() => {
      const place = this.place(path)
      const isFolder = builtins.fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() === true
      return isFolder ? builtins.fs.readdirSync(place, { withFileTypes: true }) : []
    })
    for (const entry of entries) {
      const found = entry.isFile() && !withContent ? undefined : this.find(join(path, entry.name))
      if (found === undefined) continue
      if (entry.isSymbolicLink()) this.use(scope, found)
      if (!entry.isFile()) this.touchTree(scope, found.path, withContent, [...above, path])
      else this.touch(scope, found.path)
    }
  }

  /** Makes a change to a path a step. @throws UnansweredFileStep */
  change(scope: Scope, name: string, path: string, input: object): void {
    this.take(scope, { name: `file ${name}`, effect: 'write', input }, path, () => undefined)
  }

  /** Returns why the path could not be read; undefined if it could. */
  failureAt(path: string): string | undefined {
    return this.overlay === undefined ? undefined : this.#unreadable.get(path)
  }

  /** The run has written its own content to the path. */
  wrote(path: string): void {
    this.#unreadable.delete(path)
  }

  take(scope: Scope, step: DirectStep, path: string, make: () => unknown): unknown {
    const answer = callDirectly(scope, step, make)
    if (!types.isPromise(answer)) return answer
    answer.catch(() => undefined)
    throw new UnansweredFileStep(answer, path)
  }

  #keepsNot({ run }: Scope, path: string, size: number): void {
    this.#unreadable.set(path, 'EFBIG')
    run.note('unkept-value', `content of ${path}: ${size} bytes exceed files.maxBytes (${this.maxBytes})`)
  }
}

const known = processWide('run-files', () => new WeakMap<ActiveRun, RunFiles>())

/** Gives a replay its files, until the release is called. */
export function answerFiles(run: ActiveRun, files: RunFiles): () => void {
  known.set(run, files)
  return () => files.overlay?.remove()
}

/** Returns a run's files; undefined if none are recorded. In a replay, there always are some. */
export function filesOf(run: ActiveRun): RunFiles | undefined {
  const { files } = run
  return files === undefined ? known.get(run) : knownOrMade(known, run, () => new RunFiles(run, files))
}
