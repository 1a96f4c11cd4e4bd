import { dirname, resolve } from 'node:path'
import { builtins } from '../../node/builtins.ts'
import type { Scope } from '../../run/scope.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { asNested, type Call, callCovered, filesHere, type Form } from './covered-call.ts'
import { bringsIn, broughtFrom, inputOf, widen } from './brought-in.ts'
import { type FileFunction, fileFunctions, flagOf, isContentLater, modeIn, toTarget } from './file-functions.ts'
import type { FoundPath } from './find-path.ts'
import { recordedFailure } from './of-agent.ts'
import { closeFile, type OpenFile, toOpenFile } from './open-files.ts'
import { openDoor } from './open-door.ts'
import { keepProjectFolder } from './project-folder.ts'
import type { RunFiles } from './run-files.ts'
import { searchDoor } from './search-door.ts'
import { temporaryFolderDoor } from './temporary-folder-door.ts'

/** The functions of `node:fs` and `node:fs/promises` that take a path, and those that close a file. Opened only where files are recorded. */
export function fileDoor(): Restore {
  keepProjectFolder()
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
  if (typeof process.loadEnvFile === 'function') {
    const reads: FileFunction = { paths: [0], reads: true }
    homes.push(
      replaceProperty(process as unknown as Record<string, Call>, 'loadEnvFile', (real) => createDoor(real, 'loadEnvFile', 'sync', reads)),
    )
  }
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
      const found = description.paths.map((index) => files.find(args[index], description.links?.includes(index) !== true))
      widen(files, description, found, args)
      if (name === 'symlink') coverLink(files, found[0], args[0])
      if (!found.some((each) => each !== undefined && files.covers(each.path))) return Reflect.apply(target, self, args)
      const call: FileCall = { scope, files, name, description, found, args }
      const opened = isContentLater(name, form, args) ? toOpened(call) : undefined
      const make = (own: unknown[]): unknown => {
        // A listener is the agent's own code.
        if (/^(?:un)?watch/.test(name)) return Reflect.apply(target, self, own)
        const result = asNested(() => Reflect.apply(target, self, own))
        return opened === undefined ? result : closeAfter(opened, result as Promise<unknown>)
      }
      const isOpen = opened !== undefined || typeof Object(args[2]).filter === 'function'
      return callCovered({ files, form, args, make, ready: () => prepare(call), isOpen })
    },
  })
}

interface FileCall {
  readonly scope: Scope
  readonly files: RunFiles
  readonly name: string
  readonly description: FileFunction
  readonly found: readonly (FoundPath | undefined)[]
  readonly args: readonly unknown[]
}

function toOpened({ scope, files, name, found, args }: FileCall): OpenFile | undefined {
  return toOpenFile(scope, files, found[0]?.path ?? '', flagOf(name, args), modeIn(args[2]))
}

async function closeAfter(opened: OpenFile, written: Promise<unknown>): Promise<unknown> {
  try {
    const given = await written
    closeFile(opened)
    return given
  } finally {
    opened.release()
  }
}

/** A link to what is recorded is recorded itself. */
function coverLink(files: RunFiles, link: FoundPath | undefined, target: unknown): void {
  const led = link && files.find(resolve(dirname(link.path), toTarget(target)))
  if (link !== undefined && led !== undefined && files.covers(led.path)) files.cover(link.path)
}

/** Makes the steps of a call, and gives the arguments that Node is called with. @throws UnansweredFileStep, or what Node failed with. */
function prepare({ scope, files, name, description, found, args }: FileCall): unknown[] {
  const [first] = found
  const below = description.below?.(args)
  const isBrought = bringsIn(files, description, found)
  const content = isBrought && first !== undefined ? inputOf(files, first.path) : {}
  for (const [position, each] of found.entries()) {
    if (each === undefined) continue
    files.use(scope, each)
    if (below !== undefined && position === 0 && files.covers(each.path)) files.touchTree(scope, each.path, below === 'content')
  }
  const failure = first === undefined || description.reads !== true ? undefined : files.failureAt(first.path)
  if (failure !== undefined && first !== undefined) throw recordedFailure(failure, name === 'readdir' ? 'scandir' : 'open', first.named)
  const paths = found.map((each, position) => each?.path ?? String(args[description.paths[position] ?? 0]))
  const places = paths.map((path) => files.place(path))
  const change = description.change?.(paths, args, places)
  if (change !== undefined) {
    const changed = paths.findLast((path) => files.covers(path)) ?? ''
    files.change(scope, change.name, changed, { ...change.input, ...content })
    files.wrote(changed)
  }
  return toOwn({ scope, files, name, description, found, args }, isBrought)
}

function toOwn({ files, name, description, found, args }: FileCall, isBrought: boolean): unknown[] {
  const own = [...args]
  for (const [position, each] of found.entries()) {
    const index = description.paths[position] ?? 0
    if (each === undefined) continue
    if (isBrought && position === 0) own[index] = broughtFrom(files, description, each)
    else if (files.covers(each.path)) own[index] = files.placeOf(each)
    if (name === 'symlink' && files.overlay !== undefined) own[0] = files.overlay.targetOf(each.path, toTarget(args[0]))
  }
  return own
}
