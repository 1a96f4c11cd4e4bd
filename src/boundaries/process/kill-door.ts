import { builtins } from '../../node/builtins.ts'
import { processWide } from '../../node/process-wide.ts'
import { realProcess } from '../../node/real-process.ts'
import { endProcess } from './exit-door.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'

/** A process that a run has started, found by `process.kill` through its pid. */
export interface KillableProcess {
  /** Called before the process is killed. Signal 0 only checks whether the process exists, and is not reported. */
  onKill(signal: NodeJS.Signals | number): void
  /** For a process that does not really exist: kills it, and returns whether it was running. */
  readonly kill?: (signal: NodeJS.Signals | number) => boolean
}

// A process may be started through one copy of the package and killed through another.
const killable = processWide('killable-processes', () => new Map<number, WeakRef<KillableProcess>>())

/** Registers a process by its pid, for as long as somebody else references it. @returns A function that unregisters it. */
export function makeKillable(pid: number, child: KillableProcess): () => void {
  killable.set(pid, new WeakRef(child))
  return () => void killable.delete(pid)
}

/** `process.kill` of a process that a run has started, or of its process group (by the negative pid), or of this process. */
export function killDoor(): Restore {
  // In Jest's sandboxes, the global `process` is a copy.
  const homes = new Set<NodeJS.Process>([process, realProcess()])
  return combine(
    ...[...homes].map((home) =>
      replaceProperty(home, 'kill', (original) => {
        return function kill(pid: number, signal: NodeJS.Signals | number = 'SIGTERM') {
          const child = killable.get(Math.abs(pid))?.deref()
          if (child !== undefined && signal !== 0) child.onKill(signal)
          const go = (): true => Reflect.apply(original, process, [pid, signal])
          if (isThisProcess(pid) && endsIt(signal)) return endProcess(`process.kill(process.pid, '${signal}')`, go)
          if (child?.kill === undefined) return go()
          if (child.kill(signal)) return true
          throw Object.assign(new Error('kill ESRCH'), { errno: -3, code: 'ESRCH', syscall: 'kill' })
        }
      }),
    ),
  )
}

/** Whether a signal ends a process that does not listen to it. Others are the agent's own: a heap snapshot on `SIGUSR2`. */
function endsIt(signal: NodeJS.Signals | number): boolean {
  const { signals } = builtins.os.constants
  return ending.some((name) => signal === name || signal === signals[name])
}

const ending = ['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGABRT', 'SIGKILL', 'SIGTERM', 'SIGSTOP'] as const

/** Whether a process id of `process.kill` names this process, or its process group. */
function isThisProcess(pid: number): boolean {
  return pid === 0 || Math.abs(pid) === process.pid
}
