/**
 * Preloaded into a process that records to the directory `FAULTY_DISK`, and into its writing thread: has calls for files in that directory fail as
 * the file `<directory>.fault` says, by the name of a fault.
 *
 * @note A real full, read-only or dead file system is in `test/record/disks`; a disk that writes half, or fails every other time, cannot be mounted.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import threads from 'node:worker_threads'
import { AWAY, type Fault } from './fault-kinds.ts'

const directory = process.env['FAULTY_DISK'] ?? ''
const { openSync, closeSync, writeSync, renameSync, readFileSync } = fs
/** The open files in the directory, by descriptor. */
const open = new Map<number, string>()
/** Files of which a write has already gone wrong. */
const touched = new Set<string>()
let writes = 0
let awaySince: number | undefined

function currentFault(): Fault | undefined {
  try {
    return readFileSync(`${directory}.fault`, 'utf8') as Fault
  } catch {
    return undefined
  }
}

function fail(code: string, call: string): never {
  throw Object.assign(new Error(`${code}: the disk failed, ${call}`), { code, syscall: call })
}

/** Blocks the writing thread. @note Never the agents' thread: it does not write where a disk may hang, see docs/stores.md. */
function block(milliseconds: number): void {
  if (!threads.isMainThread) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/** Throws what every call comes to. */
function failCall(fault: Fault | undefined, call: string): void {
  if (fault === 'readOnly') fail('EROFS', call)
  if (fault === 'nonsense') fail('EIO', call)
  if (fault === 'restart' && performance.now() - (awaySince ??= performance.now()) < AWAY) fail('ESTALE', call)
}

function openFaulty(...args: Parameters<typeof openSync>): number {
  const [file] = args
  if (typeof file !== 'string' || !file.startsWith(directory)) return openSync(...args)
  const fault = currentFault()
  if (fault === 'refuse') fail('EACCES', 'open')
  failCall(fault, 'open')
  const descriptor = openSync(...args)
  open.set(descriptor, file)
  return descriptor
}

function writeFaulty(descriptor: number, given: Uint8Array | string, from?: number | null, ...rest: unknown[]): number {
  const file = open.get(descriptor)
  const fault = file === undefined ? undefined : currentFault()
  const whole = (): number => Reflect.apply(writeSync, fs, [descriptor, given, from, ...rest]) as number
  if (file === undefined || fault === undefined) return whole()
  failCall(fault, 'write')
  writes += 1
  if (fault === 'full') fail('ENOSPC', 'write')
  if (fault === 'flap' && writes % 2 === 0) fail('EIO', 'write')
  if (fault === 'slow') block(10)
  while (currentFault() === 'hang' && !threads.isMainThread) block(50)
  const bytes = typeof given === 'string' ? Buffer.from(given) : given.subarray(from ?? 0)
  const half = bytes.subarray(0, Math.max(1, bytes.length >>> 1))
  if (fault === 'cutAnswer') return writeSync(descriptor, half)
  if ((fault !== 'halfWrite' && fault !== 'lostAnswer') || touched.has(file)) return whole()
  touched.add(file)
  writeSync(descriptor, fault === 'halfWrite' ? half : bytes)
  return fail(fault === 'halfWrite' ? 'ENOSPC' : 'EIO', 'write')
}

Object.assign(fs, {
  openSync: openFaulty,
  writeSync: writeFaulty,
  renameSync(...args: Parameters<typeof renameSync>) {
    if (String(args[0]).startsWith(directory)) failCall(currentFault(), 'rename')
    renameSync(...args)
  },
  closeSync(descriptor: number) {
    open.delete(descriptor)
    closeSync(descriptor)
  },
})
syncBuiltinESMExports()

/** The writing thread takes neither preloads nor the environment of its process. */
class FaultyWorker extends threads.Worker {
  constructor(file: string | URL, options: threads.WorkerOptions = {}) {
    const env = { ...(options.env as NodeJS.Dict<string>), FAULTY_DISK: directory }
    super(file, { ...options, env, execArgv: ['--import', import.meta.url] })
  }
}
if (threads.isMainThread) threads.Worker = FaultyWorker
