import { EventEmitter } from 'node:events'
import path from 'node:path'
import type { Worker } from 'node:worker_threads'
import { builtins } from '../builtins.ts'
import { combine, replaceProperty, type Restore } from '../patches.ts'
import type { Contact } from './contact.ts'
import { claimSocket, contactOf, isAttended, markOpened } from './known-sockets.ts'
import { isFree, makeContact } from './make-contact.ts'

type WorkerClass = typeof Worker
type Post = (this: object, ...args: unknown[]) => void
type Init = (this: object, options: unknown) => void

/** Workers, and channels to them: what runs in one is out of the run's sight. */
export function workerDoor(): Restore {
  const { Worker: RealWorker } = builtins.workerThreads
  return combine(
    replaceProperty(builtins.workerThreads, 'Worker', classDoor),
    // Every emitter is set up here, of a class that was taken hold of before too, and of one that extends it.
    replaceProperty(EventEmitter as typeof EventEmitter & { init: Init }, 'init', (original) => {
      return function init(this: object, options) {
        if (this instanceof RealWorker) {
          const contact = { door: 'worker', host: this.constructor.name }
          if (!isFree()) meet(contact, () => this)
          if (!markOpened(this)) claimSocket(this, contact)
        }
        original.call(this, options)
      }
    }),
    replaceProperty(RealWorker.prototype as { postMessage: Post }, 'postMessage', (original) =>
      postDoor(original, (worker) => contactOf(worker) ?? { door: 'worker', host: `thread ${String(Reflect.get(worker, 'threadId'))}` }),
    ),
    replaceProperty(BroadcastChannel.prototype as { postMessage: Post }, 'postMessage', (original) =>
      postDoor(original, (channel) => ({ door: 'broadcast channel', host: String(Reflect.get(channel, 'name')) })),
    ),
  )
}

function postDoor(original: Post, describe: (target: object) => Contact): Post {
  return function postMessage(this: object, ...args) {
    const go = (): void => original.apply(this, args)
    // What is posted again in the turn of a contact is part of it.
    if (isFree() || isAttended(this)) return go()
    makeContact(
      () => describe(this),
      go,
      ({ error }) => {
        throw error
      },
    )
  }
}

function classDoor(original: WorkerClass): WorkerClass {
  return new Proxy(original, {
    construct(target, args: unknown[], newTarget) {
      const contact = { door: 'worker', host: nameOf(args) }
      const worker = meet(contact, () => Reflect.construct(target, args, newTarget) as object)
      if (!markOpened(worker)) claimSocket(worker, contact)
      return worker
    },
  })
}

function meet(contact: Contact, go: () => object): object {
  return makeContact(
    () => contact,
    go,
    ({ error }) => {
      throw error
    },
  )
}

function nameOf([file, options]: readonly unknown[]): string {
  const isCode = typeof options === 'object' && options !== null && 'eval' in options && options.eval === true
  if (isCode || String(file).startsWith('data:')) return 'eval'
  return path.posix.basename(String(file).replaceAll('\\', '/'))
}
