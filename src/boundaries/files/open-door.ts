import type { FileHandle } from 'node:fs/promises'
import { builtins } from '../../node/builtins.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { asNested, type Call, callCovered, filesHere, type Form } from './covered-call.ts'
import { toFilePath } from './file-path.ts'
import { closeFile, type OpenFile, toOpenFile } from './open-files.ts'
import { recordedFailure } from './of-agent.ts'

/** Files that are open to be written to, by their descriptors. */
const open = new Map<number, OpenFile>()

/** Opening and closing: by these, streams and handles are covered. */
export function openDoor(): Restore {
  const { fs } = builtins
  return combine(
    replaceProperty(fs as unknown as Record<string, Call>, 'openSync', (original) => openingDoor(original, 'sync')),
    replaceProperty(fs as unknown as Record<string, Call>, 'open', (original) => openingDoor(original, 'callback')),
    replaceProperty(fs.promises as unknown as Record<string, Call>, 'open', (original) => openingDoor(original, 'promise')),
    replaceProperty(fs as unknown as Record<string, Call>, 'closeSync', closingDoor),
    replaceProperty(fs as unknown as Record<string, Call>, 'close', closingDoor),
  )
}

function openingDoor(original: Call, form: Form): Call {
  return new Proxy(original, {
    apply(target, self, args: unknown[]) {
      const here = filesHere()
      const path = toFilePath(args[0])
      if (here === undefined || path === undefined || !here.files.covers(path)) return Reflect.apply(target, self, args)
      const { scope, files } = here
      let opened: OpenFile | undefined
      const known = (given: unknown): unknown => {
        if (opened === undefined || given === undefined) return given
        if (typeof given === 'number') open.set(given, opened)
        else watchHandle(given as FileHandle, opened)
        return given
      }
      const make = (own: unknown[]): unknown => {
        if (form !== 'callback') {
          const given = asNested(() => Reflect.apply(target, self, own))
          return form === 'sync' ? known(given) : (given as Promise<unknown>).then(known)
        }
        const callback = own.at(-1)
        if (typeof callback !== 'function') return Reflect.apply(target, self, own)
        const told = (error: unknown, given: unknown): unknown => Reflect.apply(callback, undefined, [error, known(given)]) as unknown
        return asNested(() => Reflect.apply(target, self, [...own.slice(0, -1), told]))
      }
      return callCovered(files, form, args, make, () => {
        files.touch(scope, path)
        const flags = typeof args[1] === 'function' ? 'r' : (args[1] ?? 'r')
        opened = toOpenFile(scope, files, path, flags)
        const failure = files.failureAt(path)
        if (failure !== undefined && (opened === undefined || opened.before !== undefined)) throw recordedFailure(failure, 'open', path)
        if (opened !== undefined) files.wrote(path)
        return [files.place(path), ...args.slice(1)]
      })
    },
  })
}

function closingDoor(original: Call): Call {
  return new Proxy(original, {
    apply(target, self, args: unknown[]) {
      const [descriptor] = args
      const opened = typeof descriptor === 'number' ? open.get(descriptor) : undefined
      if (opened === undefined) return Reflect.apply(target, self, args)
      open.delete(descriptor as number)
      const form = typeof args.at(-1) === 'function' ? 'callback' : 'sync'
      const make = (): unknown => Reflect.apply(target, self, args)
      return callCovered(opened.files, form, args, make, () => {
        noteClosed(opened, () => builtins.fs.closeSync(descriptor as number))
        return args
      })
    },
  })
}

function watchHandle(handle: FileHandle, opened: OpenFile): void {
  const { close } = handle
  let isClosed = false
  handle.close = function (this: FileHandle) {
    const make = (): Promise<void> => close.call(handle)
    if (isClosed) return make()
    isClosed = true
    return callCovered(opened.files, 'promise', [], make, () => {
      noteClosed(opened, () => void make().catch(() => undefined))
      return []
    }) as Promise<void>
  }
}

/** @param close Closes the file all the same, where the trace does not have what was written. */
function noteClosed(opened: OpenFile, close: () => void): void {
  if (opened.scope.run.closed) return
  try {
    closeFile(opened)
  } catch (error) {
    close()
    throw error
  }
}
