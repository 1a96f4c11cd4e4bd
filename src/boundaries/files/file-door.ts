import { dirname, resolve } from 'node:path'
import { builtins } from '../../node/builtins.ts'
import { knownOrMade, lazily } from '../../trace/remember.ts'
import { combine, replaceFunction, type Restore } from '../patches.ts'
import { asNested, type Call, callCovered, type Form } from './covered-call.ts'
import { type FilesCall, filesDoor, filesHere, replaceForms } from './file-call.ts'
import { bringsIn, broughtFrom, inputOf, widen } from './brought-in.ts'
import { type FileFunction, fileFunctions, flagOf, isContentLater, looks, modeIn, reads, toTarget } from './file-functions.ts'
import type { FoundPath } from './find-path.ts'
import { recordedFailure } from './of-agent.ts'
import { closeFile, type OpenFile, toOpenFile } from './open-files.ts'
import { openDoor } from './open-door.ts'
import { keepProjectFolder } from './project-folder.ts'
import type { RunFiles } from './run-files.ts'
import { searchDoor } from './search-door.ts'
import { socketFileDoor } from './socket-file-door.ts'
import { temporaryFolderDoor } from './temporary-folder-door.ts'
import { workingFolderDoor } from './working-folder-door.ts'

/** The functions that take a path or close a file. Opened only if files are recorded, and for replays. */
export function fileDoor(): Restore {
  keepProjectFolder()
  const { fs } = builtins
  return combine(
    ...pathDoors().map(([name, door]) => replaceForms(name, door)),
    replaceFunction(fs.realpath, 'native', (original) => createDoor('realpath', looks)(original, 'callback')),
    replaceFunction(fs.realpathSync, 'native', (original) => createDoor('realpath', looks)(original, 'sync')),
    replaceFunction(process, 'loadEnvFile', (original) => createDoor('loadEnvFile', reads)(original, 'sync')),
    openDoor(),
    temporaryFolderDoor(),
    searchDoor(),
    workingFolderDoor(),
    socketFileDoor(),
    dumpDoor(),
  )
}

/** A program without a plugin opens the doors for each replay. Those of an original are made once. */
const pathDoors = lazily(() =>
  Object.entries(fileFunctions).map(([name, description]): [string, (original: Call, form: Form) => Call] => {
    const [made, create] = [new WeakMap<Call, Call>(), createDoor(name, description)]
    return [name, (original, form) => knownOrMade(made, original, () => create(original, form))]
  }),
)

/** Files that Node itself writes for a program: a report of the process, a snapshot of the heap. */
function dumpDoor(): Restore {
  return combine(
    replaceFunction(process.report, 'writeReport', dumping('writeReport', 'report.json')),
    replaceFunction(builtins.v8, 'writeHeapSnapshot', dumping('writeHeapSnapshot', 'Heap.heapsnapshot')),
  )
}

/** @param usual The name of a file without one. Node's own name has the time and the process's id, so no program knows it. */
function dumping(name: string, usual: string): (original: Call) => Call {
  return (original) => {
    const door = createDoor(name, looks)(original, 'sync')
    return function (this: unknown, ...args) {
      const isUnnamed = typeof args[0] !== 'string' && filesHere()?.files.own !== undefined
      return Reflect.apply(door, this, isUnnamed ? [usual, ...args.filter((each) => each !== undefined)] : args)
    }
  }
}

/** Functions whose listener is the agent's own code. */
const isWatching = /^(?:un)?watch/

function createDoor(name: string, description: FileFunction): (original: Call, form: Form) => Call {
  return filesDoor((called) => {
    const { files, args, go } = called
    const unrecorded = files.own
    if (!files.isRecorded && unrecorded?.passes(name, args) === true) return go(args)
    const form = isWatching.test(name) ? 'sync' : called.form
    const found = description.paths.map((index) => files.find(args[index], description.links?.includes(index) !== true))
    widen(files, description, found, args)
    if (name === 'symlink') coverLink(files, found[0], args[0])
    if (!found.some((each) => each !== undefined && files.covers(each.path)))
      return unrecorded === undefined ? go(args) : unrecorded.call({ ...called, name, paths: description.paths, found })
    const call: FileCall = { ...called, name, description, found }
    const opened = isContentLater(name, form, args) ? toOpened(call) : undefined
    const make = (own: unknown[]): unknown => {
      if (isWatching.test(name)) return go(own)
      const result = asNested(() => go(own))
      return opened === undefined ? result : closeAfter(opened, result as Promise<unknown>)
    }
    const isOpen = opened !== undefined || typeof Object(args[2]).filter === 'function'
    return callCovered({ files, form, args, make, ready: () => prepare(call), isOpen })
  })
}

interface FileCall extends FilesCall {
  readonly name: string
  readonly description: FileFunction
  readonly found: readonly (FoundPath | undefined)[]
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

/** Records a link whose target is recorded. */
function coverLink(files: RunFiles, link: FoundPath | undefined, target: unknown): void {
  const led = link && files.find(resolve(dirname(link.path), toTarget(target)))
  if (link !== undefined && led !== undefined && files.covers(led.path)) files.cover(link.path)
}

/** Makes the steps of a call. Returns the arguments for Node. @throws UnansweredFileStep, or the error that Node failed with. */
function prepare(call: FileCall): unknown[] {
  const { scope, files, name, description, found, args } = call
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
  return toOwn(call, isBrought)
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
