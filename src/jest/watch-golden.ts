import { writeSync } from 'node:fs'
import { url } from 'node:inspector'
import { Worker } from 'node:worker_threads'
import { describeStuck } from '../goldens/describe-stuck.ts'
import { printable } from '../trace/printable.ts'

/** Milliseconds between two signs of life, and after which a thread that was stopped in vain takes its process along. */
const BEAT = 1000
const MERCY = 5000

/** What the thread that executes the agents shares with the one that watches it: signs of life, and whether a golden is being replayed. */
const [BEATS, IS_WATCHED] = [0, 1]

interface Watch {
  readonly shared: Int32Array
  readonly worker: Worker
}

let watch: Watch | undefined

/**
 * Watches this process while it replays a golden, so that the golden comes to a verdict, or the exit status says that it has not.
 *
 * @param limit For how long the golden may do nothing but compute, in milliseconds.
 * @returns Ends the watch.
 */
export function watchGolden(golden: string, limit: number): () => void {
  const onExit = (): void => {
    writeSync(
      2,
      `goldenrun: the process ended while it replayed ${golden}, which has no verdict. Look for process.exit in a module that the agent loads.\n`,
    )
    process.exitCode = 1
  }
  process.once('exit', onExit)
  // A debugger holds the thread up for as long as it likes.
  const release = url() === undefined ? watchLoops(golden, limit) : undefined
  return () => {
    process.off('exit', onExit)
    release?.()
  }
}

/**
 * Watches this thread while it replays a golden: if it does nothing but compute for long, what it executes is ended, so that the golden's time limit can
 * fail its test and Jest goes on. One thread watches for the whole process, since Jest runs all files in one, and often in its own.
 */
function watchLoops(golden: string, limit: number): () => void {
  const { shared, worker } = (watch ??= startWatch())
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage({ limit, message: `${printable(describeStuck(golden, limit))}\n` })
  const beat = (): void => {
    Atomics.add(shared, BEATS, 1)
    Atomics.notify(shared, BEATS)
  }
  Atomics.store(shared, IS_WATCHED, 1)
  const timer = setInterval(beat, BEAT).unref()
  return () => {
    clearInterval(timer)
    Atomics.store(shared, IS_WATCHED, 0)
    beat()
  }
}

function startWatch(): Watch {
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const workerData = { shared, BEATS, IS_WATCHED, BEAT, MERCY }
  // Node would give the thread the flags of Jest's process, and a loader of its own.
  const worker = new Worker(PROGRAM, { eval: true, workerData, env: {}, execArgv: [], name: 'goldenrun loop watch' })
  worker.unref()
  return { shared, worker }
}

/**
 * The program of the thread, in JavaScript. It loads nothing but Node's modules.
 *
 * @note A promise of the inspector's session needs this thread's event loop, so each wait is one turn of it.
 */
const PROGRAM = `
const { parentPort, receiveMessageOnPort, workerData } = require('node:worker_threads')
const { Session } = require('node:inspector')
const { writeSync } = require('node:fs')
const { shared, BEATS, IS_WATCHED, BEAT, MERCY } = workerData
let golden
let silent = 0
let isStopped = false
function look() {
  const before = Atomics.load(shared, BEATS)
  const isAlive = Atomics.wait(shared, BEATS, before, BEAT) !== 'timed-out'
  for (let next; (next = receiveMessageOnPort(parentPort)) !== undefined; ) golden = next.message
  if (isAlive || Atomics.load(shared, IS_WATCHED) === 0) {
    silent = 0
    isStopped = false
  } else {
    silent += BEAT
  }
  if (golden !== undefined && silent >= golden.limit + MERCY && isStopped) process.kill(process.pid, 'SIGKILL')
  if (golden !== undefined && silent >= golden.limit && !isStopped) stop()
  setImmediate(look)
}
function stop() {
  isStopped = true
  writeSync(2, golden.message)
  const session = new Session()
  session.connectToMainThread()
  session.post('Runtime.terminateExecution', () => session.disconnect())
}
look()
`
