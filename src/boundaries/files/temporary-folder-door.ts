import { basename, dirname, join } from 'node:path'
import { builtins } from '../../node/builtins.ts'
import { runOutside } from '../../run/scope.ts'
import { readFact } from '../machine/read-fact.ts'
import type { Restore } from '../patches.ts'
import { callCovered, type FilesCall, filesDoor, replaceForms } from './covered-call.ts'

/** `mkdtemp`: its random letters are a read, so that a replay's folder has the recorded name. */
export function temporaryFolderDoor(): Restore {
  return replaceForms('mkdtemp', filesDoor(makeFolder))
}

/** The number of letters that Node draws. */
const drawn = 6

function makeFolder({ scope, files, form, args, go }: FilesCall): unknown {
  const [given] = args
  const folder = typeof given === 'string' ? files.find(`${given}x/..`) : undefined
  const path = folder && join(folder.path, basename(`${String(given)}x`)).slice(0, -1)
  if (folder === undefined || path === undefined || !files.covers(`${path}${'x'.repeat(drawn)}`)) return go(args)
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
