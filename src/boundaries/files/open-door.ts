import type { FileHandle } from 'node:fs/promises'
import { types } from 'node:util'
import { builtins } from '../../node/builtins.ts'
import type { Scope } from '../../run/scope.ts'
import { combine, replaceFunction, type Restore } from '../patches.ts'
import { asNested, type Call, callCovered, type Form } from './covered-call.ts'
import { type FilesCall, filesDoor, filesHere, replaceForms } from './file-call.ts'
import { closeFile, type OpenFile, toOpenFile } from './open-files.ts'
import { recordedFailure } from './of-agent.ts'
import type { RunFiles } from './run-files.ts'
import { changesOfOpen, isContentLater } from './file-functions.ts'

/** An open recorded file. */
interface Opened {
  readonly scope: Scope
  readonly files: RunFiles
  readonly path: string
  /** Set if the file is open for writing. */
  readonly written: OpenFile | undefined
}

/** Open recorded files by descriptor. */
const open = new Map<number, Opened>()

/** Functions that are not steps, but whose results come in the order of the calls. */
const orderedOfDescriptors = ['fdatasync', 'fstat', 'fsync', 'ftruncate', 'read', 'readv', 'write', 'writev']
const orderedOfHandles = ['appendFile', 'datasync', 'read', 'readFile', 'readv', 'stat', 'sync', 'truncate', 'write', 'writeFile', 'writev']

/** Opening, closing and changing open files, which covers streams and handles. */
export function openDoor(): Restore {
  return combine(
    replaceForms('open', filesDoor(openFile)),
    replaceForms('close', closingDoor),
    ...Object.keys(changesOfOpen).map((name) => replaceForms(`f${name}`, changingDoor(name))),
    ...orderedOfDescriptors.map((name) => replaceFunction(builtins.fs, name, (original) => changingDoor(name)(original, 'callback'))),
  )
}

function openFile(called: FilesCall): unknown {
  const { scope, files, form, args, go } = called
  const unrecorded = files.own
  if (!files.isRecorded && unrecorded?.passes('open', args) === true) return go(args)
  const found = files.find(args[0])
  if (found === undefined) return go(args)
  if (!files.covers(found.path))
    return unrecorded === undefined ? go(args) : unrecorded.call({ ...called, name: 'open', paths: [0], found: [found] })
  const { path } = found
  let written: OpenFile | undefined
  const known = (given?: unknown): unknown => {
    const opened: Opened = { scope, files, path, written }
    if (typeof given === 'number') open.set(given, opened)
    else if (given === undefined) written?.release()
    else watchHandle(given as FileHandle, opened)
    return given
  }
  const make = (own: unknown[]): unknown => {
    if (form !== 'callback') return openNow(() => go(own), known)
    const callback = own.at(-1)
    if (typeof callback !== 'function') return go(own)
    const told = (error: unknown, given: unknown): unknown => Reflect.apply(callback, undefined, [error, known(given)]) as unknown
    return asNested(() => go([...own.slice(0, -1), told]))
  }
  const ready = (): unknown[] => {
    files.use(scope, found)
    const flags = typeof args[1] === 'function' ? 'r' : (args[1] ?? 'r')
    written = toOpenFile(scope, files, path, flags, args[2])
    const failure = files.failureAt(path)
    if (failure !== undefined && (written === undefined || written.before !== undefined)) {
      written?.release()
      throw recordedFailure(failure, 'open', found.named)
    }
    if (written !== undefined) files.wrote(path)
    return [files.placeOf(found), ...args.slice(1)]
  }
  return callCovered({ files, form, args, make, ready })
}

/** @param known Called with the descriptor, or with nothing if the file was not opened. */
function openNow(make: () => unknown, known: (given?: unknown) => unknown): unknown {
  const fails = (error: unknown): never => {
    known()
    throw error
  }
  try {
    const given = asNested(make)
    return types.isPromise(given) ? given.then(known, fails) : known(given)
  } catch (error) {
    return fails(error)
  }
}

function closingDoor(original: Call): Call {
  return new Proxy(original, {
    apply(target, self, args: unknown[]) {
      const [descriptor] = args
      const opened = typeof descriptor === 'number' ? open.get(descriptor) : undefined
      if (opened === undefined) return Reflect.apply(target, self, args)
      open.delete(descriptor as number)
      const form = typeof args.at(-1) === 'function' ? 'callback' : 'sync'
      const make = (own: unknown[]): unknown => Reflect.apply(target, self, own)
      const ready = (): unknown[] => {
        noteClosed(opened, () => builtins.fs.closeSync(descriptor as number))
        return args
      }
      return callCovered({ files: opened.files, form, args, make, ready })
    },
  })
}

/** `fchmod` and similar make the same step as by path. `read` and similar make none. */
function changingDoor(name: string): (original: Call, form: Form) => Call {
  return filesDoor(({ form, args, go }) => {
    const opened = typeof args[0] === 'number' ? open.get(args[0]) : undefined
    if (opened === undefined) return go(args)
    return callCovered({ files: opened.files, form, args, make: go, ready: () => noteChanged(opened, name, args) })
  })
}

function watchHandle(handle: FileHandle, opened: Opened): void {
  const { close } = handle
  let isClosed = false
  handle.close = function (this: FileHandle) {
    const make = (): Promise<void> => close.call(handle)
    if (isClosed) return make()
    isClosed = true
    const ready = (): unknown[] => {
      noteClosed(opened, () => void make().catch(() => undefined))
      return []
    }
    return callCovered({ files: opened.files, form: 'promise', args: [], make, ready }) as Promise<void>
  }
  for (const name of [...Object.keys(changesOfOpen), ...orderedOfHandles]) {
    const change = Reflect.get(handle, name) as Call
    const changed = (...args: unknown[]): unknown => {
      const make = (): unknown => Reflect.apply(change, handle, args)
      if (filesHere() === undefined) return make()
      const ready = (): unknown[] => noteChanged(opened, name, [handle, ...args])
      const isOpen = isContentLater(name, 'promise', [handle, ...args])
      return callCovered({ files: opened.files, form: 'promise', args, make, ready, isOpen })
    }
    Reflect.set(handle, name, changed)
  }
}

function noteChanged({ scope, files, path }: Opened, name: string, args: readonly unknown[]): unknown[] {
  const change = changesOfOpen[name]?.([path], args, [])
  if (change !== undefined && !scope.run.closed) files.change(scope, change.name, path, change.input)
  return [...args]
}

/** @param close Closes the file even if the trace does not have what was written. */
function noteClosed({ scope, written }: Opened, close: () => void): void {
  if (written === undefined || scope.run.closed) return
  try {
    closeFile(written)
  } catch (error) {
    close()
    throw error
  }
}
