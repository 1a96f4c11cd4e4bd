import { builtins } from '../../node/builtins.ts'
import { currentScope, type Scope } from '../../run/scope.ts'
import { combine, replaceFunction, type Restore } from '../patches.ts'
import { type Call, type Form, isNested } from './covered-call.ts'
import { filesOf, type RunFiles } from './run-files.ts'

/** Replaces a function of `node:fs` and `node:fs/promises` in each of its forms. */
export function replaceForms(name: string, door: (original: Call, form: Form) => Call): Restore {
  const { fs } = builtins
  return combine(
    replaceFunction(fs, `${name}Sync`, (original) => door(original, 'sync')),
    replaceFunction(fs, name, (original) => door(original, 'callback')),
    replaceFunction(fs.promises, name, (original) => door(original, 'promise')),
  )
}

/** A call of a function of `node:fs` by code whose files are recorded. */
export interface FilesCall extends FilesHere {
  readonly form: Form
  readonly args: unknown[]
  /** Calls the function itself. */
  readonly go: (args: unknown[]) => unknown
}

/**
 * Replaces a function for code whose files are recorded. The function's own properties stay: `util.promisify` reads one of `exists`.
 */
export function filesDoor(answer: (call: FilesCall) => unknown): (original: Call, form: Form) => Call {
  return (original, form) =>
    new Proxy(original, {
      apply(target, self, args: unknown[]) {
        const go = (own: unknown[]): unknown => Reflect.apply(target, self, own)
        const here = filesHere()
        return here === undefined ? go(args) : answer({ ...here, form, args, go })
      },
    })
}

interface FilesHere {
  readonly scope: Scope
  readonly files: RunFiles
}

/** Returns the files of the running code's run, if any are recorded. */
export function filesHere(): FilesHere | undefined {
  const scope = currentScope()
  const files = scope && filesOf(scope.run)
  return scope === undefined || files === undefined || isNested() ? undefined : { scope, files }
}
