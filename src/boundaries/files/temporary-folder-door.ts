import { basename, dirname, join } from 'node:path'
import { builtins } from '../../node/builtins.ts'
import { runOutside } from '../../run/scope.ts'
import { readFact } from '../machine/read-fact.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { type Call, callCovered, filesHere, type Form } from './covered-call.ts'

/** `mkdtemp`: the letters that it draws are a read, so that a replay's folder has the recorded name. */
export function temporaryFolderDoor(): Restore {
  const { fs } = builtins
  return combine(
    replaceProperty(fs as unknown as Record<string, Call>, 'mkdtempSync', (original) => createDoor(original, 'sync')),
    replaceProperty(fs as unknown as Record<string, Call>, 'mkdtemp', (original) => createDoor(original, 'callback')),
    replaceProperty(fs.promises as unknown as Record<string, Call>, 'mkdtemp', (original) => createDoor(original, 'promise')),
  )
}

/** As many as Node draws. */
const drawn = 6

function createDoor(original: Call, form: Form): Call {
  return new Proxy(original, {
    apply(target, self, args: unknown[]) {
      const here = filesHere()
      const [given] = args
      const folder = typeof given === 'string' ? here?.files.find(`${given}x/..`) : undefined
      const path = folder && join(folder.path, basename(`${String(given)}x`)).slice(0, -1)
      if (here === undefined || folder === undefined || path === undefined || !here.files.covers(`${path}${'x'.repeat(drawn)}`))
        return Reflect.apply(target, self, args)
      const { scope, files } = here
      const { fs } = builtins
      let isReal = false
      const name = (): string => {
        const drawnFolder = runOutside(() => fs.mkdtempSync(files.place(path)))
        isReal = true
        return drawnFolder.slice(-drawn)
      }
      const make = (): unknown => {
        const isPossible = runOutside(() => fs.existsSync(dirname(`${files.place(path)}x`)))
        const letters = isPossible ? readFact('fs.mkdtemp', name) : name()
        const made = `${path}${letters}`
        files.change(scope, 'mkdir', made, { path: made })
        if (!isReal) runOutside(() => fs.mkdirSync(files.place(made), 0o700))
        return `${String(given)}${letters}`
      }
      const ready = (): [string] => {
        files.use(scope, folder)
        return [make() as string]
      }
      const give = ([made]: unknown[]): unknown => {
        if (form === 'sync') return made
        if (form === 'promise') return Promise.resolve(made)
        const callback = args.at(-1)
        if (typeof callback === 'function') setImmediate(callback as (error: null, made: unknown) => void, null, made)
        return undefined
      }
      return callCovered({ files, form: form === 'callback' ? 'sync' : form, args, make: give, ready })
    },
  })
}
