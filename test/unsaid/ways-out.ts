import type { Runner } from './unsaid-project.ts'

/**
 * Forty ways in which an agent, while it is replayed, does something real or ends without a verdict. They were written
 * down from the documentation alone, before one of them was run, and before the sources were read.
 *
 * The agent asks a model once and returns its text. Each way is JavaScript that stands in it at one place. `world.url`,
 * `world.port` (TCP), `world.udp` and `world.file` (a file that does not exist yet) are the real world.
 */
export interface WayOut {
  readonly name: string
  /** Names by module, such as `{ 'node:fs': 'writeFileSync, rmSync' }`. */
  readonly imports?: Readonly<Record<string, string>>
  /** As the agent's module loads, in the agent before it asks the model, or before it returns. */
  readonly at: 'load' | 'start' | 'end'
  readonly code: string
  /** `touches` the world, touches a `file` (a replay may keep that from the disk), or `ends` the replay or its process. */
  readonly kind: 'touches' | 'file' | 'ends'
  /** What ends its process so that Node does not emit the event: `beforeExit` where it is ended explicitly, `exit` where it is killed. */
  readonly mayNotHappen?: readonly Runner[]
  /** Why it is green without a word today; `docs/limits.md` says so. */
  readonly open?: { readonly in: readonly Runner[]; readonly why: string }
  /** It never ends by itself: what runs it has to end it. */
  readonly endless?: true
}

const http = { 'node:http': 'request' }

export const waysOut: readonly WayOut[] = [
  // Something real: the network.
  {
    name: 'a fetch that nobody awaits',
    at: 'end',
    kind: 'touches',
    code: `void fetch(world.url + '/refund', { method: 'POST' }).catch(() => {})`,
  },
  { name: 'a fetch whose refusal is swallowed', at: 'start', kind: 'touches', code: `try { await fetch(world.url + '/audit') } catch {}` },
  {
    name: 'a request with a listener for its error',
    at: 'end',
    kind: 'touches',
    imports: http,
    code: `request(world.url + '/log', { method: 'POST' }).on('error', () => {}).end('x')`,
  },
  {
    name: 'a raw socket',
    at: 'end',
    kind: 'touches',
    imports: { 'node:net': 'connect' },
    code: `connect(world.port, '127.0.0.1').on('error', () => {}).end('hello')`,
  },
  {
    name: 'a datagram',
    at: 'end',
    kind: 'touches',
    imports: { 'node:dgram': 'createSocket' },
    code: `const socket = createSocket('udp4'); socket.on('error', () => {}); socket.send('metric:1|c', world.udp, '127.0.0.1', () => socket.close())`,
  },
  {
    name: 'a WebSocket',
    at: 'end',
    kind: 'touches',
    code: `new WebSocket(world.url.replace('http', 'ws')).addEventListener('error', () => {})`,
  },
  {
    name: 'an HTTP/2 session',
    at: 'end',
    kind: 'touches',
    imports: { 'node:http2': 'connect' },
    code: `const session = connect(world.url); session.on('error', () => {}); session.request({ ':path': '/h2' }).on('error', () => {}).end()`,
  },
  {
    name: 'a fetch from a timer after the return',
    open: { in: ['vitest', 'jest', 'command'], why: 'It is refused, and the recording says nothing of what came after the run.' },
    at: 'end',
    kind: 'touches',
    code: `setTimeout(() => void fetch(world.url + '/late').catch(() => {}), 50)`,
  },
  {
    name: 'a fetch from an interval that keeps no process alive',
    open: { in: ['vitest', 'jest', 'command'], why: 'It is refused, and the recording says nothing of what came after the run.' },
    at: 'end',
    kind: 'touches',
    code: `setInterval(() => void fetch(world.url + '/tick').catch(() => {}), 20).unref()`,
  },
  {
    name: 'a fetch before the process ends',
    mayNotHappen: ['vitest', 'jest', 'command'],
    at: 'end',
    kind: 'touches',
    code: `process.once('beforeExit', () => void fetch(world.url + '/bye').catch(() => {}))`,
  },
  { name: 'a fetch as the module loads', at: 'load', kind: 'touches', code: `void fetch(world.url + '/flags').catch(() => {})` },
  {
    name: 'a queue of the module that works outside the run',
    at: 'load',
    kind: 'touches',
    code: `globalThis.jobs ??= []; setInterval(() => { for (const job of globalThis.jobs.splice(0)) job() }, 5).unref(); globalThis.push = () => globalThis.jobs.push(() => void fetch(world.url + '/queued').catch(() => {})); globalThis.push()`,
  },
  {
    name: 'a fetch by the inspector of the process',
    at: 'end',
    kind: 'touches',
    imports: { 'node:inspector': 'Session' },
    code: `const session = new Session(); session.connect(); session.post('Runtime.evaluate', { expression: 'void fetch(' + JSON.stringify(world.url + '/inspected') + ').catch(() => {})' })`,
  },
  // Something real: programs, threads and files.
  { name: 'a child process', at: 'end', kind: 'touches', imports: { 'node:child_process': 'exec' }, code: `exec('touch ' + world.file)` },
  {
    name: 'a child process that is waited for',
    at: 'end',
    kind: 'touches',
    imports: { 'node:child_process': 'spawnSync' },
    code: `spawnSync('touch', [world.file])`,
  },
  {
    name: 'a child process as the process exits',
    mayNotHappen: ['vitest', 'jest'],
    at: 'end',
    kind: 'touches',
    imports: { 'node:child_process': 'execFileSync' },
    code: `process.once('exit', () => { try { execFileSync('touch', [world.file]) } catch {} })`,
  },
  {
    name: 'a worker that calls',
    at: 'end',
    kind: 'touches',
    imports: { 'node:worker_threads': 'Worker' },
    code: `new Worker('fetch(' + JSON.stringify(world.url + '/worker') + ').catch(() => {})', { eval: true }).on('error', () => {})`,
  },
  {
    name: 'a file that is written',
    at: 'end',
    kind: 'file',
    imports: { 'node:fs': 'writeFileSync' },
    code: `writeFileSync(world.file, 'refunded')`,
  },
  {
    name: 'a stream into a file',
    at: 'end',
    kind: 'file',
    imports: { 'node:fs': 'createWriteStream' },
    code: `createWriteStream(world.file).end('refunded')`,
  },
  {
    name: 'a database in a file',
    at: 'end',
    kind: 'file',
    imports: { 'node:sqlite': 'DatabaseSync' },
    code: `const db = new DatabaseSync(world.file); db.exec('CREATE TABLE refunds (id TEXT)'); db.close()`,
  },
  // No verdict: the process ends.
  { name: 'process.exit(0) before the call', at: 'start', kind: 'ends', code: `process.exit(0)` },
  { name: 'process.exit(0) before the return', at: 'end', kind: 'ends', code: `process.exit(0)` },
  { name: 'process.exit(0) as the module loads', at: 'load', kind: 'ends', code: `process.exit(0)` },
  { name: 'process.exit(0) from a timer after the return', at: 'end', kind: 'ends', code: `setTimeout(() => process.exit(0), 1)` },
  { name: 'process.reallyExit(0)', at: 'end', kind: 'ends', code: `process.reallyExit(0)` },
  { name: 'process.abort()', at: 'end', kind: 'ends', code: `process.abort()` },
  { name: 'SIGKILL to itself', at: 'end', kind: 'ends', code: `process.kill(process.pid, 'SIGKILL'); await new Promise(() => {})` },
  { name: 'SIGTERM to itself', at: 'end', kind: 'ends', code: `process.kill(process.pid, 'SIGTERM'); await new Promise(() => {})` },
  { name: 'a process that becomes another program', at: 'end', kind: 'ends', code: `process.execve('/bin/true', ['true'], {})` },
  {
    name: 'its last words are an exit status of 0',
    at: 'start',
    kind: 'ends',
    code: `process.on('exit', () => { process.exitCode = 0 }); throw new Error('No.')`,
  },
  { name: 'all memory', at: 'end', kind: 'ends', code: `const all = []; for (;;) all.push(new Array(1e6).fill(all.length))` },
  // No verdict: it does not end.
  { name: 'an endless loop', at: 'end', kind: 'ends', endless: true, code: `for (;;) {}` },
  { name: 'an endless loop of promises', at: 'end', kind: 'ends', endless: true, code: `for (;;) await undefined` },
  { name: 'an expression that backtracks for years', at: 'end', kind: 'ends', endless: true, code: `/^(a+)+$/.test('a'.repeat(60) + 'b')` },
  {
    name: 'a wait that blocks the thread',
    at: 'end',
    kind: 'ends',
    endless: true,
    code: `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)`,
  },
  { name: 'a promise that never settles', at: 'end', kind: 'ends', endless: true, code: `await new Promise(() => {})` },
  { name: 'a loop as the module loads', at: 'load', kind: 'ends', endless: true, code: `for (;;) {}` },
  // No verdict: nobody hears it.
  { name: 'an error in a timer', at: 'end', kind: 'ends', code: `setTimeout(() => { throw new Error('later') }, 1)` },
  {
    name: 'the channel to the runner is closed',
    at: 'end',
    kind: 'ends',
    code: `process.disconnect?.(); process.channel?.unref?.(); throw new Error('No.')`,
  },
  {
    name: "an answer that is not the run's, while its call goes on",
    at: 'start',
    kind: 'ends',
    code: `void fetch(world.url + '/v1/other', { method: 'POST', body: '{}' }).catch(() => {}); return 'It is on its way.'`,
  },
]
