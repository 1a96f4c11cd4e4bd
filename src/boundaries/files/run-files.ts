import { dirname, join, resolve } from 'node:path'
import { types } from 'node:util'
import { builtins } from '../../node/builtins.ts'
import { knownOrMade } from '../../node/remember.ts'
import type { ActiveRun } from '../../run/active-run.ts'
import { runOutside, type Scope } from '../../run/scope.ts'
import { callDirectly, type DirectStep } from '../direct-step.ts'
import { isWithin, matchPaths } from './file-patterns.ts'
import { type FileState, readState } from './file-state.ts'
import { Overlay } from './overlay.ts'

/** Thrown where a trace does not have what the agent does. */
export class UnansweredFileStep {
  /** Rejects with the refusal, in a later turn of the event loop. */
  readonly refused: Promise<unknown>
  readonly path: string

  constructor(refused: Promise<unknown>, path: string) {
    this.refused = refused
    this.path = path
  }
}

/** The files of one run that are recorded, or answered. */
export class RunFiles {
  /** Set in a replay. */
  readonly overlay: Overlay | undefined
  readonly maxBytes: number
  readonly #matches: (path: string) => boolean
  readonly #project: string = process.cwd()
  readonly #touched = new Set<string>()
  readonly #unreadable = new Map<string, string>()
  readonly #onUnkept: (where: string) => void

  constructor(run: ActiveRun, { record, maxBytes }: NonNullable<ActiveRun['files']>) {
    this.#matches = matchPaths(record)
    this.maxBytes = maxBytes
    this.#onUnkept = (where) => run.note('unkept-value', where)
    if (run.mode === 'replay') this.overlay = new Overlay()
  }

  /** Whether a path is recorded. What lies in the project comes with the code. */
  readonly covers = (path: string): boolean => this.#matches(path) && !isWithin(this.#project, path)

  /** Where a path is looked for. */
  place(path: string): string {
    return this.overlay === undefined || !this.covers(path) ? path : this.overlay.place(path)
  }

  /**
   * The run uses a path. The first time, what stands there is a step.
   *
   * @throws UnansweredFileStep
   */
  touch(scope: Scope, path: string): void {
    if (this.#touched.has(path) || !this.covers(path)) return
    this.#touched.add(path)
    const { covers, maxBytes, overlay } = this
    const read = (): FileState => runOutside(() => readState(path, { covers, maxBytes }))
    const state = this.take(scope, { name: 'file read', effect: 'read', input: { path } }, path, read) as FileState
    if (state.kind === 'file' && state.size !== undefined) this.#keepsNot(path, state.size)
    if (state.kind === 'file' && state.unreadable !== undefined) this.#unreadable.set(path, state.unreadable)
    if (state.kind === 'error') this.#unreadable.set(path, state.code)
    if (overlay !== undefined) runOutside(() => overlay.restore(path, state))
    if (state.kind === 'link') this.touch(scope, resolve(dirname(path), state.target))
  }

  /** The same for all that is below a folder. @param withContent Whether its files are read, too. */
  touchTree(scope: Scope, path: string, withContent: boolean): void {
    this.touch(scope, path)
    const entries = runOutside(() => {
      const place = this.place(path)
      const isFolder = builtins.fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() === true
      return isFolder ? builtins.fs.readdirSync(place, { withFileTypes: true }) : []
    })
    for (const entry of entries) {
      if (entry.isDirectory()) this.touchTree(scope, join(path, entry.name), withContent)
      else if (withContent) this.touch(scope, join(path, entry.name))
    }
  }

  /** Makes a change of a path a step. @throws UnansweredFileStep */
  change(scope: Scope, name: string, path: string, input: object): void {
    this.take(scope, { name: `file ${name}`, effect: 'write', input }, path, () => undefined)
  }

  /** Why Node failed to read what stands at a path; undefined if it did not. */
  failureAt(path: string): string | undefined {
    return this.overlay === undefined ? undefined : this.#unreadable.get(path)
  }

  /** The path has content of the run's own now. */
  wrote(path: string): void {
    this.#unreadable.delete(path)
  }

  take(scope: Scope, step: DirectStep, path: string, make: () => unknown): unknown {
    const answer = callDirectly(scope, step, make)
    if (!types.isPromise(answer)) return answer
    answer.catch(() => undefined)
    throw new UnansweredFileStep(answer, path)
  }

  #keepsNot(path: string, size: number): void {
    this.#unreadable.set(path, 'EFBIG')
    this.#onUnkept(`content of ${path}: ${size} bytes are more than files.maxBytes (${this.maxBytes})`)
  }
}

const known = new WeakMap<ActiveRun, RunFiles>()

/** The files of a run; undefined if none are recorded. */
export function filesOf(run: ActiveRun): RunFiles | undefined {
  const { files } = run
  return files === undefined ? undefined : knownOrMade(known, run, () => new RunFiles(run, files))
}

/** Removes what a replay wrote to its temporary tree. */
export function removeOverlay(run: ActiveRun): void {
  const overlay = known.get(run)?.overlay
  if (overlay !== undefined) runOutside(() => overlay.remove())
}
