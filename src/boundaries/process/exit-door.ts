import { realProcess } from '../../node/real-process.ts'
import { currentScope } from '../../run/scope.ts'
import { makeContact, throwRefusal } from '../contact/make-contact.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'

/** The door of what would end the process of a replay. */
const EXIT = 'exit'

/**
 * What ends this process: `process.exit`, `process.reallyExit` and `process.abort`. A replay refuses it: else the process would end with the status
 * that the agent chose, and no verdict.
 */
export function exitDoor(): Restore {
  // In Jest's sandboxes, the global `process` is a copy.
  const homes = [...new Set<NodeJS.Process>([process, realProcess()])]
  return combine(...homes.flatMap((home) => endings.map((name) => replaceEnding(home as unknown as Ending, name))))
}

/**
 * Ends the process, unless a replay does so. A recorded run that ends it is over, and a test runner ends its own process.
 *
 * @param what As in the code: `process.exit(1)`.
 */
export function endProcess<Result>(what: string, go: () => Result): Result {
  return currentScope()?.run.mode === 'replay' ? makeContact(() => ({ door: EXIT, host: what }), go, throwRefusal) : go()
}

const endings = ['exit', 'reallyExit', 'abort'] as const

type Ending = Record<(typeof endings)[number], (...args: readonly unknown[]) => never>

function replaceEnding(home: Ending, name: (typeof endings)[number]): Restore {
  return replaceProperty(home, name, (original) => {
    return function (...args) {
      return endProcess(`process.${name}(${args.map(String).join(', ')})`, () => Reflect.apply(original, process, args))
    }
  })
}
