import { builtins } from '../../node/builtins.ts'
import type { Scope } from '../../run/scope.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { asNested, type Call, callCovered, filesHere, type Form } from './covered-call.ts'
import { type FileFunction, fileFunctions, flagOf, isContentLater } from './file-functions.ts'
import { toFilePath } from './file-path.ts'
import { recordedFailure } from './of-agent.ts'
import { closeFile, toOpenFile } from './open-files.ts'
import { openDoor } from './open-door.ts'
import type { RunFiles } from './run-files.ts'
import { searchDoor } from './search-door.ts'
import { temporaryFolderDoor } from './temporary-folder-door.ts'

/** The functions of `node:fs` and `node:fs/promises` that take a path, and those that close a file. Opened only where files are recorded. */
export function fileDoor(): Restore {
  const { fs } = builtins
  const homes = [
    ...Object.keys(fileFunctions).flatMap((name) => [
      replaceFunction(fs, `${name}Sync`, name, 'sync'),
      replaceFunction(fs, name, name, name.toLowerCase().endsWith('watch') || name.endsWith('watchFile') ? 'sync' : 'callback'),
      replaceFunction(fs.promises, name, name, name === 'watch' ? 'sync' : 'promise'),
    ]),
    replaceFunction(fs.realpath, 'native', 'realpath', 'callback'),
    replaceFunction(fs.realpathSync, 'native', 'realpath', 'sync'),
  ]
  return combine(...homes, openDoor(), temporaryFolderDoor(), searchDoor())
}

function replaceFunction(home: object, name: string, called: string, form: Form): Restore {
  const description = fileFunctions[called]
  if (description === undefined || typeof Reflect.get(home, name) !== 'function') return () => undefined
  return replaceProperty(home as Record<string, Call>, name, (original) => createDoor(original, called, form, description))
}

/** Its own properties stay: `util.promisify` reads one of `exists`. */
function createDoor(original: Call, name: string, form: Form, description: FileFunction): Call {
  return new Proxy(original, {
    apply(target, self, args: unknown[]) {
      const here = filesHere()
      if (here === undefined) return Reflect.apply(target, self, args)
      const { scope, files } = here
      const paths = description.paths.map((index) => toFilePath(args[index]))
      if (!paths.some((path) => path !== undefined && files.covers(path))) return Reflect.apply(target, self, args)
      const opened = isContentLater(name, form, args) ? toOpenFile(scope, files, paths[0] ?? '', flagOf(name, args)) : undefined
      const make = (own: unknown[]): unknown => {
        // A listener is the agent's own code.
        if (/^(?:un)?watch/.test(name)) return Reflect.apply(target, self, own)
        const result = asNested(() => Reflect.apply(target, self, own))
        return opened === undefined ? result : (result as Promise<unknown>).then((given) => (closeFile(opened), given))
      }
      return callCovered(files, form, args, make, () => {
        prepare(scope, files, name, description, paths, args)
        const own = [...args]
        for (const [position, index] of description.paths.entries()) {
          const path = paths[position]
          if (path !== undefined && files.covers(path) && !isRelativeTarget(name, index, args)) own[index] = files.place(path)
        }
        return own
      })
    },
  })
}

/** The target of a link may stand relative to it. */
function isRelativeTarget(name: string, index: number, args: readonly unknown[]): boolean {
  return name === 'symlink' && index === 0 && !String(args[0]).startsWith('/')
}

/** Makes the steps of a call. @throws UnansweredFileStep, or what Node failed with. */
function prepare(
  scope: Scope,
  files: RunFiles,
  name: string,
  description: FileFunction,
  paths: readonly (string | undefined)[],
  args: readonly unknown[],
): void {
  const below = description.below?.(args)
  for (const [position, path] of paths.entries()) {
    if (path === undefined) continue
    if (below !== undefined && position === 0) files.touchTree(scope, path, below === 'content')
    else files.touch(scope, path)
  }
  const [first] = paths
  const failure = first === undefined || description.reads !== true ? undefined : files.failureAt(first)
  if (failure !== undefined && first !== undefined) throw recordedFailure(failure, name === 'readdir' ? 'scandir' : 'open', first)
  const named = paths.map((path, index) => path ?? String(args[index]))
  const change = description.change?.(
    named,
    args,
    named.map((path) => files.place(path)),
  )
  const changed = paths.findLast((path) => path !== undefined && files.covers(path)) ?? ''
  if (change === undefined) return
  files.change(scope, change.name, changed, change.input)
  files.wrote(changed)
}
