import { realProcess } from '../../node/real-process.ts'
import { answeredScope, type AnsweredScope, runInScope } from '../../run/scope.ts'
import { combine, defineOwn, replaceProperty, type Restore } from '../patches.ts'

const names = ['on', 'addListener', 'prependListener'] as const

type Listener = (...args: unknown[]) => unknown
type Adding = Record<'on' | 'addListener' | 'once' | 'prependListener' | 'prependOnceListener', Add>
type Add = (this: NodeJS.Process, event: string | symbol, listener: Listener) => unknown

/**
 * Listeners for the end of this process. One that a replayed run adds still belongs to the run when it is called, long after the replay: the process
 * that replays ends for reasons of its own, and what the listener does is as little real as the rest of the run.
 *
 * @param openDoors Opens all doors while a listener is called: most likely nothing else uses them by then.
 */
export function exitListenerDoor(openDoors: () => Restore): Restore {
  // In Jest's sandboxes, the global `process` is a copy.
  const homes = [...new Set<NodeJS.Process>([process, realProcess()])] as unknown as readonly Adding[]
  return combine(...homes.flatMap((home) => names.flatMap((name) => replaceMethods(home, name, openDoors))))
}

/** Replaces a method that adds listeners, and the one that adds listeners which are called once. */
function replaceMethods(home: Adding, name: (typeof names)[number], openDoors: () => Restore): Restore[] {
  const add = home[name]
  const replaced = (original: Add, isOnce: boolean): Add =>
    function (event, listener) {
      const scope = event === 'exit' || event === 'beforeExit' ? answeredScope() : undefined
      if (scope === undefined || typeof listener !== 'function') return Reflect.apply(original, this, [event, listener])
      const remove = isOnce ? (): void => void this.off(event, added) : undefined
      const added = ofRun(listener, { scope, openDoors, remove })
      return Reflect.apply(add, this, [event, added])
    }
  const once = name === 'prependListener' ? 'prependOnceListener' : 'once'
  return [
    replaceProperty(home, name, (original) => replaced(original, false)),
    ...(name === 'addListener' ? [] : [replaceProperty(home, once, (original) => replaced(original, true))]),
  ]
}

interface OfRun {
  readonly scope: AnsweredScope
  readonly openDoors: () => Restore
  /** Removes a listener that is called only once. */
  readonly remove: (() => void) | undefined
}

function ofRun(listener: Listener, { scope, openDoors, remove }: OfRun): Listener {
  const added = function (this: unknown, ...args: unknown[]): unknown {
    remove?.()
    const shut = openDoors()
    try {
      return runInScope(scope, () => Reflect.apply(listener, this, args))
    } finally {
      shut()
    }
  }
  // Node removes a listener by the one that it stands for.
  defineOwn(added, 'listener', listener)
  return added
}
