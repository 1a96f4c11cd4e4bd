import path from 'node:path'
import workerThreads from 'node:worker_threads'
import { replaceProperty, type Restore } from '../patches.ts'
import { makeContact } from './make-contact.ts'

/** Workers: what runs in one is out of the run's sight. */
export function workerDoor(): Restore {
  return replaceProperty(workerThreads, 'Worker', (original) => {
    return new Proxy(original, {
      construct(target, args: unknown[], newTarget) {
        return makeContact<object>(
          () => ({ door: 'worker', host: nameOf(args) }),
          () => Reflect.construct(target, args, newTarget),
          ({ error }) => {
            throw error
          },
        )
      },
    })
  })
}

function nameOf([file, options]: readonly unknown[]): string {
  const isCode = typeof options === 'object' && options !== null && 'eval' in options && options.eval === true
  if (isCode || String(file).startsWith('data:')) return 'eval'
  return path.posix.basename(String(file).replaceAll('\\', '/'))
}
