// oxlint-disable unicorn/require-post-message-target-origin -- the rule is for windows
import { AsyncLocalStorage, AsyncResource, createHook } from 'node:async_hooks'
import diagnosticsChannel from 'node:diagnostics_channel'
import { EventEmitter, on, once } from 'node:events'
import { watch, watchFile, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { PerformanceObserver } from 'node:perf_hooks'
import { PassThrough, Transform } from 'node:stream'
import v8 from 'node:v8'
import { runInNewContext, runInThisContext } from 'node:vm'
import { BroadcastChannel, MessageChannel } from 'node:worker_threads'
import zlib from 'node:zlib'
import PQueue from 'p-queue'
import { heard, HOST, type Way, type World } from '../way.ts'

type Job = () => void

/** Hands a job to what a module made when it loaded. */
type Ask = (job: Job) => void

/** A connection, made wherever what the module made runs: in its context, which is no run's and no test's. */
function lost(name: string, make: (world: World) => Ask | Promise<Ask>, isFetched = false): Way[] {
  const contacts: readonly (readonly [contact: string, needs: Way['needs'], go: (world: World) => Promise<unknown>])[] = [
    ['a socket', ['echo'], ({ ports }) => heard(net.connect(ports.echo, HOST), 'connect')],
    ['a fetch', ['http'], async ({ ports }) => (await fetch(`http://${HOST}:${ports.http}`)).text()],
  ]
  return contacts.slice(0, isFetched ? 2 : 1).map(([contact, needs = [], go]) => ({
    name: `${contact} of ${name}`,
    openWhenLeft: "An agent may leave a job in a module's queue",
    needs,
    before: make,
    take: (world, ask: Ask) => new Promise((resolve, reject) => ask(() => void go(world).then(resolve, reject))),
  }))
}

/** Jobs that wait for somebody to do them. */
function queue(): { readonly jobs: Job[]; readonly next: Job } {
  const jobs: Job[] = []
  return { jobs, next: () => jobs.shift()?.() }
}

/** What calls back in a context of before. */
const modules: readonly Way[] = [
  ...lost(
    'a loop that waits for jobs',
    () => {
      let wake: (job: Job) => void = () => undefined
      void (async () => {
        for (;;) (await new Promise<Job>((resolve) => (wake = resolve)))()
      })()
      return (job) => wake(job)
    },
    true,
  ),
  ...lost(
    'an interval',
    () => {
      const { jobs, next } = queue()
      setInterval(next, 2).unref()
      return (job) => jobs.push(job)
    },
    true,
  ),
  ...lost('a timer that was set before, and sets itself again', () => {
    const { jobs, next } = queue()
    const again = (): void => {
      next()
      setTimeout(again, 2).unref()
    }
    again()
    return (job) => jobs.push(job)
  }),
  ...lost('an immediate that sets itself again', () => {
    const { jobs, next } = queue()
    const again = (): void => {
      next()
      setImmediate(again).unref()
    }
    again()
    return (job) => jobs.push(job)
  }),
  ...lost('AsyncResource.bind', () => AsyncResource.bind((job: Job) => job()), true),
  ...lost('an AsyncResource', () => {
    const resource = new AsyncResource('module')
    return (job) => resource.runInAsyncScope(job)
  }),
  ...lost('AsyncLocalStorage.bind', () => AsyncLocalStorage.bind((job: Job) => job())),
  ...lost('AsyncLocalStorage.snapshot', () => AsyncLocalStorage.snapshot()),
  ...lost('a message channel', () => {
    const { jobs, next } = queue()
    const { port1, port2 } = new MessageChannel()
    port2.on('message', next).unref()
    port1.unref()
    return (job) => {
      jobs.push(job)
      port1.postMessage('job')
    }
  }),
  ...lost('a broadcast channel', ({ folder }) => {
    const { jobs, next } = queue()
    const [one, other] = [new BroadcastChannel(folder), new BroadcastChannel(folder)]
    Object.assign(other, { onmessage: next })
    for (const channel of [one, other]) (channel as unknown as { unref(): void }).unref()
    return (job) => {
      jobs.push(job)
      one.postMessage('job')
    }
  }),
  ...lost('an emitter with a function that was bound', () => {
    const emitter = new EventEmitter().on(
      'job',
      AsyncResource.bind((job: Job) => job()),
    )
    return (job) => void emitter.emit('job', job)
  }),
  ...lost('an emitter', () => {
    const emitter = new EventEmitter().on('job', (job: Job) => job())
    return (job) => void emitter.emit('job', job)
  }),
  ...lost('an iterator of events', () => {
    const emitter = new EventEmitter()
    void (async () => {
      for await (const [job] of on(emitter, 'job') as AsyncIterable<[Job]>) job()
    })()
    return (job) => void emitter.emit('job', job)
  }),
  ...lost('an event target', () => {
    const target = new EventTarget()
    const { jobs, next } = queue()
    target.addEventListener('job', next)
    return (job) => {
      jobs.push(job)
      target.dispatchEvent(new Event('job'))
    }
  }),
  ...lost('an abort signal', () => {
    const controller = new AbortController()
    const { jobs, next } = queue()
    controller.signal.addEventListener('abort', next)
    return (job) => {
      jobs.push(job)
      controller.abort()
    }
  }),
  ...lost('a channel of diagnostics', ({ folder }) => {
    diagnosticsChannel.subscribe(folder, (job) => (job as Job)())
    return (job) => diagnosticsChannel.channel(folder).publish(job)
  }),
  ...lost('a generator', () => {
    const generator = (async function* (): AsyncGenerator<void, void, Job> {
      for (;;) (yield)()
    })()
    void generator.next()
    return (job) => void generator.next(job)
  }),
  ...lost('a transform', () => {
    const { jobs, next } = queue()
    const stream = new Transform({
      transform(_chunk, _encoding, done) {
        next()
        done()
      },
    })
    return (job) => {
      jobs.push(job)
      stream.write('job')
    }
  }),
  ...lost('a reader of a stream', () => {
    const { jobs, next } = queue()
    const stream = new PassThrough().on('data', next)
    return (job) => {
      jobs.push(job)
      stream.write('job')
    }
  }),
  ...lost('a loop over a web stream', () => {
    const { readable, writable } = new TransformStream<Job, Job>()
    const writer = writable.getWriter()
    void (async () => {
      for await (const job of readable as unknown as AsyncIterable<Job>) job()
    })()
    return (job) => void writer.write(job)
  }),
  ...lost('a stream of zlib', () => {
    const { jobs, next } = queue()
    const stream = zlib.createGzip().on('data', next)
    return (job) => {
      jobs.push(job, job)
      stream.write('job')
      stream.flush()
    }
  }),
  ...lost('a queue of the package p-queue', () => {
    const waiting = new PQueue({ concurrency: 1 })
    return (job) => void waiting.add(() => job())
  }),
  ...lost('a batch that is loaded in the next turn', () => {
    const { jobs, next } = queue()
    let asked: Job = () => undefined
    void (async () => {
      for (;;) {
        await new Promise<void>((resolve) => (asked = resolve))
        await new Promise((resolve) => setImmediate(resolve))
        next()
      }
    })()
    return (job) => {
      jobs.push(job)
      asked()
    }
  }),
  ...lost('Atomics.waitAsync', () => {
    const shared = new Int32Array(new SharedArrayBuffer(4))
    const { jobs, next } = queue()
    const { value } = (Atomics as unknown as { waitAsync(...args: unknown[]): { value: Promise<unknown> } }).waitAsync(shared, 0, 0)
    void (async () => {
      await value
      next()
    })()
    return (job) => {
      jobs.push(job)
      Atomics.notify(shared, 0)
    }
  }),
  ...lost('a watch of a folder', async ({ folder }) => {
    const { jobs, next } = queue()
    watch(folder, { persistent: false }, next)
    return (job) => {
      jobs.push(job)
      writeFileSync(path.join(folder, 'job'), 'job')
    }
  }),
  ...lost('a watch of a file', ({ folder }) => {
    const { jobs, next } = queue()
    watchFile(path.join(folder, 'job'), { interval: 5, persistent: false }, next)
    return (job) => {
      jobs.push(job)
      writeFileSync(path.join(folder, 'job'), 'job')
    }
  }),
  ...lost('a handler of a signal', () => {
    const { jobs, next } = queue()
    // In Jest's sandboxes `process` is a copy, which hears no signal.
    const real = runInThisContext('process') as NodeJS.Process
    real.on('SIGUSR2', next)
    return (job) => {
      jobs.push(job)
      real.kill(real.pid, 'SIGUSR2')
    }
  }),
  ...lost('a handler of the warnings of the process', () => {
    const { jobs, next } = queue()
    process.on('warning', next)
    return (job) => {
      jobs.push(job)
      process.emitWarning('job')
    }
  }),
  ...lost('an observer of performance', () => {
    const { jobs, next } = queue()
    new PerformanceObserver(next).observe({ entryTypes: ['mark'] })
    return (job) => {
      jobs.push(job)
      performance.mark('job')
    }
  }),
  ...lost('a registry of what is collected', () => {
    const { jobs, next } = queue()
    v8.setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const registry = new FinalizationRegistry(next)
    // Kept, or it would be collected itself.
    Object.assign(globalThis, { goldenrunRegistry: registry })
    return (job) => {
      jobs.push(job)
      ;(() => registry.register({}, 'job'))()
      setTimeout(collect, 1)
      setTimeout(collect, 5)
    }
  }),
  ...lost('a hook of asynchronous resources', () => {
    const { jobs } = queue()
    createHook({ init: () => jobs.shift()?.() }).enable()
    return (job) => {
      jobs.push(job)
      setImmediate(() => undefined)
    }
  }),
  ...lost('a hook of promises', () => {
    const { jobs } = queue()
    v8.promiseHooks.onInit(() => jobs.shift()?.())
    return (job) => {
      jobs.push(job)
      void Promise.resolve().then(() => undefined)
    }
  }),
]

/** What is left behind in the run, for when it is over. */
function late(name: string, leave: (job: Job) => void): Way {
  return {
    name,
    needs: ['echo'],
    async take({ ports }) {
      leave(() => void heard(net.connect(ports.echo, HOST), 'connect').catch(() => undefined))
    },
  }
}

const lateWays: readonly Way[] = [
  late(
    'what comes after the run, by promises',
    (job) => void once(new PassThrough().end('job').resume(), 'end').then(() => setImmediate(job)),
  ),
  late('what comes after the run, by an immediate', (job) => setImmediate(() => setImmediate(() => setImmediate(job)))),
  late('what comes after the run, by a timer', (job) => setTimeout(job, 30)),
  late('what comes after the run, by zlib', (job) => zlib.gzip('job', () => zlib.gzip('job', () => job()))),
]

/** Contexts that are lost, and those of a run that is over. */
export const contextWays: readonly Way[] = [...modules, ...lateWays]
