import { combine, replaceFunction, type Restore } from '../patches.ts'
import { filesHere } from './file-call.ts'

/** `process.chdir` and `process.cwd`: a replayed run may change into a folder that it has made. */
export function workingFolderDoor(): Restore {
  return combine(
    replaceFunction(
      process,
      'chdir',
      (original) =>
        function (this: unknown, ...args) {
          const files = filesHere()?.files
          const { own } = files ?? {}
          const found = own === undefined ? undefined : files?.find(args[0])
          if (found !== undefined && own?.enters(found.path) === true) return undefined
          return Reflect.apply(original, this, args)
        },
    ),
    replaceFunction(
      process,
      'cwd',
      (original) =>
        function (this: unknown, ...args) {
          return filesHere()?.files.own?.folder ?? Reflect.apply(original, this, args)
        },
    ),
  )
}
