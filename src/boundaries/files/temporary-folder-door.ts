import { basename, dirname, join } from 'node:path'
import { builtins } from '../../node/builtins.ts'
import { runOutside } from '../../run/scope.ts'
import { readFact } from '../machine/read-fact.ts'
import { combine, type Restore } from '../patches.ts'
import type { FoundPath } from './find-path.ts'
import { toNamedPath } from './file-path.ts'
import type { RunFiles } from './run-files.ts'
import { callCovered } from './covered-call.ts'
import { type FilesCall, filesDoor, replaceForms } from './file-call.ts'

/** `mkdtemp`: its random letters are a read, so that a replay's folder has the recorded name. */
export function temporaryFolderDoor(): Restore {
  return combine(replaceForms('mkdtemp', filesDoor(makeFolder)), replaceForms('mkdtempDisposable', filesDoor(makeOwnFolder)))
}

/** A folder that is not recorded: its letters are drawn anew. */
function makeOwnFolder(called: FilesCall): unknown {
  const { files, args, go } = called
  const found = findPrefix(files, args[0])
  if (found === undefined || files.own === undefined) return go(args)
  const { path } = found
  return files.own.call({ ...called, name: 'mkdtemp', paths: [0], found: [{ path, named: path, links: [] }] })
}

/** Returns the folder in which a temporary one is made, and the beginning of its path. */
function findPrefix(files: RunFiles, given: unknown): { readonly folder: FoundPath; readonly path: string } | undefined {
  const named = toNamedPath(given)
  const folder = named === undefined ? undefined : files.find(`${named}x/..`)
  return folder && { folder, path: join(folder.path, basename(`${named}x`)).slice(0, -1) }
}

/** The number of letters that Node draws. */
const drawn = 6

function makeFolder(called: FilesCall): unknown {
  const { scope, files, form, args, go } = called
  const [given] = args
  const found = findPrefix(files, given)
  if (found === undefined) return go(args)
  const { folder, path } = found
  if (!files.covers(`${path}${'x'.repeat(drawn)}`)) return makeOwnFolder(called)
  const { fs } = builtins
  let isReal = false
  const name = (): string => {
    const drawnFolder = runOutside(() => fs.mkdtempSync(files.place(path)))
    isReal = true
    return drawnFolder.slice(-drawn)
  }
  const ready = (): [string] => {
    files.use(scope, folder)
    const isPossible = runOutside(() => fs.existsSync(dirname(`${files.place(path)}x`)))
    const letters = isPossible ? readFact('fs.mkdtemp', name) : name()
    const made = `${path}${letters}`
    files.change(scope, 'mkdir', made, { path: made })
    if (!isReal) runOutside(() => fs.mkdirSync(files.place(made), 0o700))
    return [`${String(given)}${letters}`]
  }
  const give = ([made]: unknown[]): unknown => {
    if (form === 'sync') return made
    if (form === 'promise') return Promise.resolve(made)
    const callback = args.at(-1)
    if (typeof callback === 'function') setImmediate(callback as (error: null, made: unknown) => void, null, made)
    return undefined
  }
  return callCovered({ files, form: form === 'callback' ? 'sync' : form, args, make: give, ready })
}
