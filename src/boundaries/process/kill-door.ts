import { processWide } from '../../node/process-wide.ts'
import { realProcess } from '../../node/real-process.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'

/** A process that a run has started, as `process.kill` finds it by its number. */
export interface KillableProcess {
  /** Told before it is killed. A signal of 0 only asks whether it is there. */
  onKill(signal: NodeJS.Signals | number): void
  /** Of a process that does not exist: kills it, and tells whether it was there. */
  readonly kill?: (signal: NodeJS.Signals | number) => boolean
}

// A process may be started through one copy of the package and killed through another.
const killable = processWide('killable-processes', () => new Map<number, WeakRef<KillableProcess>>())

/** Makes a process known by its number, for as long as somebody else holds it. @returns Forgets it. */
export function makeKillable(pid: number, child: KillableProcess): () => void {
  killable.set(pid, new WeakRef(child))
  return () => void killable.delete(pid)
}

/** `process.kill` of a process that a run has started, or of its group (by the negative number). */
export function killDoor(): Restore {
  // In Jest's sandboxes the global `process` is a copy.
  const homes = new Set<NodeJS.Process>([process, realProcess()])
  return combine(
    ...[...homes].map((home) =>
      replaceProperty(home, 'kill', (original) => {
        return function kill(pid: number, signal: NodeJS.Signals | number = 'SIGTERM') {
          const child = killable.get(Math.abs(pid))?.deref()
          if (child !== undefined && signal !== 0) child.onKill(signal)
          if (child?.kill === undefined) return Reflect.apply(original, process, [pid, signal])
          if (child.kill(signal)) return true
          throw Object.assign(new Error('kill ESRCH'), { errno: -3, code: 'ESRCH', syscall: 'kill' })
        }
      }),
    ),
  )
}
