import type { ChildProcess } from 'node:child_process'
import { processWide } from '../../node/process-wide.ts'

// Children that Node's own module has started in this thread. A recording asks for no report, which may have to wait for workers.
const started = processWide('started-children', () => ({ count: 0, children: new Map<number, WeakRef<ChildProcess>>() }))

/** How many programs Node's own module has started in this process's main thread. */
export const countStarted = (): number => started.count

/** Whether Node's own module has started a child. */
export const isStarted = (pid: number): boolean => started.children.has(pid)

/** A program is about to be started. */
export function countChild(): void {
  started.count += 1
}

/** Remembers a child that was started. */
export function rememberChild(child: ChildProcess): void {
  const { pid } = child
  if (pid === undefined) return
  const { children } = started
  if (children.size >= 256)
    for (const [each, reference] of children) {
      const known = reference.deref()
      if (known === undefined || known.exitCode !== null || known.signalCode !== null) children.delete(each)
    }
  children.set(pid, new WeakRef(child))
}
