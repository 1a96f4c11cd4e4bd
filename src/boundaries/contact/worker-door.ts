import { EventEmitter } from 'node:events'
import path from 'node:path'
import type { Worker } from 'node:worker_threads'
import { builtins } from '../../node/builtins.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import type { Contact } from './contact.ts'
import { isFree, makeContact, throwRefusal } from './make-contact.ts'

type WorkerClass = typeof Worker
type Init = (this: object, options: unknown) => void

/** Workers: a run cannot observe the code inside one. */
export function workerDoor(): Restore {
  const { Worker: RealWorker } = builtins.workerThreads
  return combine(
    replaceProperty(builtins.workerThreads, 'Worker', classDoor),
    // Initializes every emitter, including those of captured or extended classes.
    replaceProperty(EventEmitter as typeof EventEmitter & { init: Init }, 'init', (original) => {
      return function init(this: object, options) {
        if (this instanceof RealWorker && !isFree()) meet({ door: 'worker', host: this.constructor.name }, () => this)
        original.call(this, options)
      }
    }),
  )
}

function classDoor(original: WorkerClass): WorkerClass {
  return new Proxy(original, {
    construct: (target, args: unknown[], newTarget) =>
      meet({ door: 'worker', host: nameOf(args) }, () => Reflect.construct(target, args, newTarget) as object),
  })
}

function meet(contact: Contact, go: () => object): object {
  return makeContact(() => contact, go, throwRefusal)
}

function nameOf([file, options]: readonly unknown[]): string {
  const isCode = typeof options === 'object' && options !== null && 'eval' in options && options.eval === true
  if (isCode || String(file).startsWith('data:')) return 'eval'
  return path.posix.basename(String(file).replaceAll('\\', '/'))
}
