import childProcess, { execFile, execFileSync, execSync, fork, spawn, type ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { writeFileSync } from 'node:fs'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import inspector from 'node:inspector'
import inspectorPromises from 'node:inspector/promises'
import module from 'node:module'
import type { Server } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import tls from 'node:tls'
import { promisify } from 'node:util'
import v8 from 'node:v8'
import workerThreads, { BroadcastChannel, MessageChannel, Worker } from 'node:worker_threads'
import { byCallback, heard, HOST, leaveWord, raise, type Way, type World } from '../way.ts'

const TAKEN_BEFORE = 'Anything that a module captured before the doors opened'
const PAST_NODES_CLASSES = "Anything that bypasses Node's own classes"
const WORKERS_BEFORE = 'Workers that were made before the run'
const SERVERS = 'A server that the run opens listens'
const SIGNALS = 'Other signals (`process.kill`, `child.kill`) and priorities'
const isWindows = (): boolean => process.platform === 'win32'
const node = process.execPath

/** Code that leaves a file in a world's folder. */
const hello = ({ folder }: World, by = 'child'): string =>
  `require('node:fs').writeFileSync(${JSON.stringify(path.join(folder, `written-by-${by}`))}, 'hello')`

async function listening(emitter: EventEmitter): Promise<void> {
  await once(emitter, 'message')
}

/** A child that listens to messages and signals. */
async function listener({ folder }: World): Promise<ChildProcess> {
  const child = fork(path.join(folder, 'listener.cjs'), { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  await listening(child)
  return child.on('error', () => undefined)
}

function onChild(name: string, take: (child: ChildProcess) => Promise<unknown>, open?: string): Way {
  return {
    name,
    needs: [],
    before: listener,
    take: (_world, child: ChildProcess) => take(child),
    ...(open === undefined ? {} : { open }),
  }
}

const endProcess = (name: string, take: () => unknown): Way => ({ name, needs: [], endsProcess: true, take: async () => take() })

/** What ends the process, and with it the verdict. */
const endings: readonly Way[] = [
  endProcess('process.exit', () => process.exit(0)),
  endProcess('process.reallyExit', () => (Reflect.get(process, 'reallyExit') as (status: number) => never)(0)),
  endProcess('process.abort', () => process.abort()),
  endProcess('process.kill of the process itself', () => process.kill(process.pid, 'SIGKILL')),
]

const children: readonly Way[] = [
  {
    name: 'spawn of a shell',
    needs: [],
    take: (world) => heard(spawn('sh', ['-c', `echo hello > "${world.folder}/written-by-shell"`]), 'exit'),
  },
  {
    name: 'spawn with a pipe beside its streams',
    needs: [],
    take: (world) => heard(spawn(node, ['-e', hello(world)], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] }), 'exit'),
  },
  {
    name: 'fork with a program that is not Node',
    needs: [],
    take: ({ folder }) => heard(fork(path.join(folder, 'child.cjs'), { execPath: node, serialization: 'advanced' }), 'exit'),
  },
  {
    name: 'execFile captured earlier',
    needs: [],
    before: () => childProcess.execFile,
    take: (world, early: typeof execFile) => promisify(early)(node, ['-e', hello(world)]),
  },
  {
    name: 'execFileSync captured earlier',
    needs: [],
    open: TAKEN_BEFORE,
    before: () => childProcess.execFileSync,
    take: async (world, early: typeof execFileSync) => early(node, ['-e', hello(world)]),
  },
  {
    name: 'execSync with a shell of its own',
    needs: [],
    take: async (world) => execSync(`echo hello > "${world.folder}/written-by-shell"`, { shell: '/bin/sh' }),
    isMissing: isWindows,
  },
  onChild('fork().send', (child) => byCallback((done) => child.send('hello', done))),
  onChild('fork().send, nobody told', async (child) => child.send('hello')),
  onChild("send, taken off a child's class", (child) => byCallback((done) => Reflect.apply(child.send, child, ['hello', done]))),
  onChild(
    'the channel of a child',
    async (child) => {
      const { _send: send } = child as ChildProcess & { _send?: (message: unknown) => void }
      if (send === undefined) throw new Error('There is none.')
      send.call(child, 'hello')
    },
    PAST_NODES_CLASSES,
  ),
  onChild('kill of a child', async (child) => raiseUnless(child.kill('SIGUSR2')), SIGNALS),
  onChild('process.kill of a child', async (child) => raiseUnless(process.kill(child.pid ?? 0, 'SIGUSR2')), SIGNALS),
  {
    name: 'a pipe beside the streams of a child that was spawned before',
    needs: [],
    async before(world) {
      const code = `require('node:fs').createReadStream(null, { fd: 3 }).once('data', () => { ${hello(world)} })`
      const child = spawn(node, ['-e', code], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
      child.stdio[3]?.on('error', () => undefined)
      await once(child, 'spawn')
      return child
    },
    take: (_world, child: ChildProcess) => byCallback((done) => (child.stdio[3] as unknown as NodeJS.WritableStream).write('hello', done)),
  },
  {
    name: 'process.execve',
    needs: [],
    endsProcess: true,
    isMissing: () => !('execve' in process),
    take: async (world) =>
      (process as unknown as { execve(file: string, args: readonly string[], env: object): void }).execve(
        node,
        [node, '-e', hello(world)],
        {},
      ),
  },
]

function raiseUnless(isDone: boolean): void {
  raise(isDone ? undefined : new Error('It was refused.'))
}

// oxlint-disable unicorn/require-post-message-target-origin -- the rule is for windows
/** What is sent to a worker that was made before. */
function onWorker(name: string, take: (made: MadeWorker) => Promise<unknown>): Way {
  return {
    name,
    needs: [],
    open: WORKERS_BEFORE,
    async before({ folder }) {
      const shared = new Int32Array(new SharedArrayBuffer(4))
      const channel = folder
      const worker = new Worker(path.join(folder, 'listener.cjs'), { execArgv: [], workerData: { channel, shared } })
      await listening(worker)
      const { port1, port2 } = new MessageChannel()
      worker.postMessage({ port: port2 }, [port2])
      worker.unref()
      port1.unref()
      return { worker, port: port1, channel, shared }
    },
    take: (_world, made: MadeWorker) => take(made),
  }
}

interface MadeWorker {
  readonly worker: Worker
  readonly port: MessagePort
  readonly channel: string
  readonly shared: Int32Array
}

type MessagePort = InstanceType<typeof MessageChannel>['port1']

const workers: readonly Way[] = [
  { name: 'a worker of code', needs: [], take: (world) => heard(new Worker(hello(world, 'worker'), { eval: true }), 'exit') },
  { name: 'a worker of a file', needs: [], take: ({ folder }) => heard(new Worker(path.join(folder, 'child.cjs')), 'exit') },
  {
    name: 'a worker of a data URL',
    needs: [],
    take: (world) =>
      heard(
        new Worker(
          new URL(
            `data:text/javascript,${encodeURIComponent(`import { createRequire } from 'node:module'; ${requiring}; ${hello(world, 'worker')}`)}`,
          ),
        ),
        'exit',
      ),
  },
  {
    name: 'a worker of a class that extends it',
    needs: [],
    take: ({ folder }) => heard(new (class Pooled extends Worker {})(path.join(folder, 'child.cjs')), 'exit'),
  },
  {
    name: 'a Worker captured earlier',
    needs: [],
    before: () => workerThreads.Worker,
    take: ({ folder }, Early: typeof Worker) => heard(new Early(path.join(folder, 'child.cjs')), 'exit'),
  },
  onWorker('postMessage to a worker', async ({ worker }) => worker.postMessage('hello')),
  onWorker('a message port that leads to a worker', async ({ port }) => port.postMessage('hello')),
  onWorker('a broadcast channel', async ({ channel }) => new BroadcastChannel(channel).postMessage('hello')),
  onWorker('memory that is shared with a worker', async ({ shared }) => Atomics.notify(shared, 0)),
  onWorker('postMessageToThread', async ({ worker }) =>
    (workerThreads as unknown as { postMessageToThread(thread: number, message: unknown): Promise<void> }).postMessageToThread(
      worker.threadId,
      'hello',
    ),
  ),
  {
    name: 'hooks of modules, which run in a thread of their own',
    needs: [],
    isMissing: () => !('register' in module),
    async take(world) {
      const code = `import { createRequire } from 'node:module'; ${requiring}; export const initialize = () => { ${hello(world, 'hook')} }`
      module.register(`data:text/javascript,${encodeURIComponent(code)}`)
    },
  },
]

const requiring = "const require = createRequire('file:///')"

const inspectors: readonly Way[] = [
  {
    name: 'inspector/promises open',
    needs: [],
    async take(world) {
      inspectorPromises.open(0)
      if (inspector.url() !== undefined) leaveWord(world)
      inspector.close()
    },
  },
  {
    name: 'a session of the inspector that evaluates',
    needs: [],
    async take(world) {
      const session = new inspector.Session()
      session.connect()
      const code = `process.getBuiltinModule('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(hello(world))}])`
      await byCallback((done) => session.post('Runtime.evaluate', { expression: code }, done))
      session.disconnect()
    },
  },
  {
    name: 'the signal that opens the inspector',
    needs: [],
    open: SIGNALS,
    isMissing: isWindows,
    async take(world) {
      process.kill(process.pid, 'SIGUSR1')
      for (let turn = 0; turn < 20 && inspector.url() === undefined; turn += 1) await new Promise((resolve) => setTimeout(resolve, 5))
      if (inspector.url() !== undefined) leaveWord(world)
      inspector.close()
    },
  },
  ...endings,
  {
    name: 'the signal that opens the inspector of another process',
    needs: [],
    open: SIGNALS,
    before: (world) => listener(world),
    isMissing: isWindows,
    async take(world, child: ChildProcess) {
      ;(Reflect.get(process, '_debugProcess') as (id: number | undefined) => void)(child.pid)
      leaveWord(world)
    },
  },
]

const servers: readonly Way[] = [
  listeningWay('a server of http that the run opens', () => http.createServer()),
  listeningWay('a server of https that the run opens', () => https.createServer({})),
  listeningWay('a server of http2 that the run opens', () => http2.createServer()),
  listeningWay('a server of tls that the run opens', () => tls.createServer({})),
]

function listeningWay(name: string, create: () => Server): Way {
  return {
    name,
    needs: [],
    open: SERVERS,
    async take(world) {
      const server = create()
      await heard(server.listen(0, HOST), 'listening')
      leaveWord(world)
      server.close()
    },
  }
}

const files: readonly Way[] = [
  fileWay('a file', (file) => writeFileSync(file, 'hello')),
  fileWay('a report of the process', (file) => process.report.writeReport(file)),
  fileWay('a snapshot of the heap', (file) => v8.writeHeapSnapshot(file)),
]

function fileWay(name: string, write: (file: string) => unknown): Way {
  return {
    name: `${name} that is written`,
    needs: [],
    take: async ({ folder }) => write(path.join(folder, 'written-file')),
  }
}

/** A binding of Node's, as packages of old ask for it. */
function binding(name: string): Record<string, new (...args: unknown[]) => Record<string, (...args: never[]) => number>> {
  return (process as unknown as { binding(name: string): never }).binding(name)
}

const internals: readonly Way[] = [
  {
    name: "process.binding('tcp_wrap')",
    needs: ['echo'],
    open: PAST_NODES_CLASSES,
    async take({ ports }) {
      const { TCP, TCPConnectWrap } = binding('tcp_wrap')
      const [request, handle] = [construct(TCPConnectWrap), construct(TCP, 0)]
      await byCallback((done) => {
        Object.assign(request, { oncomplete: (status: number) => done(status === 0 ? null : new Error(String(status))) })
        call(handle, 'connect', request, HOST, ports.echo)
      })
    },
  },
  {
    name: "process.binding('pipe_wrap')",
    needs: ['unix'],
    open: PAST_NODES_CLASSES,
    isMissing: isWindows,
    async take(world) {
      const { Pipe, PipeConnectWrap } = binding('pipe_wrap')
      const [request, handle] = [construct(PipeConnectWrap), construct(Pipe, 0)]
      await byCallback((done) => {
        Object.assign(request, { oncomplete: (status: number) => done(status === 0 ? null : new Error(String(status))) })
        call(handle, 'connect', request, world.path)
      })
    },
  },
  {
    name: "process.binding('spawn_sync')",
    needs: [],
    open: PAST_NODES_CLASSES,
    async take(world) {
      const { spawn: run } = binding('spawn_sync') as unknown as { spawn(options: object): unknown }
      run({ file: node, args: [node, '-e', hello(world)], envPairs: [], stdio: [{ type: 'inherit', fd: 0 }] })
    },
  },
  {
    name: 'the priority of another process',
    needs: [],
    open: SIGNALS,
    before: listener,
    async take(world, child: ChildProcess) {
      os.setPriority(child.pid ?? 0, 19)
      leaveWord(world)
    },
  },
]

function construct(constructed: (new (...args: unknown[]) => unknown) | undefined, ...args: unknown[]): object {
  if (constructed === undefined) throw new Error('There is none.')
  return new constructed(...args) as object
}

function call(object: object, method: string, ...args: unknown[]): void {
  const status: unknown = Reflect.apply(Reflect.get(object, method) as () => unknown, object, args)
  if (status !== 0) throw new Error(String(status))
}

/** Other processes and threads, the inspector, files, and what lies below Node's modules. */
export const processWays: readonly Way[] = [...children, ...workers, ...inspectors, ...servers, ...files, ...internals]
