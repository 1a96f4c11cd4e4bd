import { realProcess } from '../../node/real-process.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import { programName } from '../process/program-name.ts'
import { makeContact, throwRefusal } from './make-contact.ts'

/** `process.execve`, which replaces this process with another program. Not on Windows, and not before Node 22.15. */
export function execDoor(): Restore {
  // In Jest's sandboxes the global `process` is a copy.
  const homes = new Set<Executing>([process, realProcess()])
  return combine(...[...homes].map((home) => (home.execve === undefined ? () => undefined : openDoor(home as Required<Executing>))))
}

interface Executing {
  readonly execve?: (...args: never[]) => never
}

function openDoor(home: Required<Executing>): Restore {
  return replaceProperty(home as { execve: (...args: unknown[]) => never }, 'execve', (original) => {
    return function execve(...args) {
      return makeContact(
        () => ({ door: 'child process', host: programName(String(args[0])) }),
        () => Reflect.apply(original, process, args),
        throwRefusal,
      )
    }
  })
}
