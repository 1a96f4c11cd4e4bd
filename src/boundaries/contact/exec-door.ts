import { replaceProperty, type Restore } from '../patches.ts'
import { programName } from './command-name.ts'
import { makeContact } from './make-contact.ts'

/** `process.execve`, which replaces this process with another program. Not on Windows, and not before Node 22.15. */
export function execDoor(): Restore {
  const real = process.getBuiltinModule('node:process') as { execve?: (...args: unknown[]) => never }
  if (real.execve === undefined) return () => undefined
  return replaceProperty(real as Required<typeof real>, 'execve', (original) => {
    return function execve(...args) {
      return makeContact(
        () => ({ door: 'child process', host: programName(String(args[0])) }),
        () => Reflect.apply(original, process, args),
        ({ error }) => {
          throw error
        },
      )
    }
  })
}
