import { performance } from 'node:perf_hooks'
import { threadCpuUsage } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { getHeapStatistics } from 'node:v8'
import type { Worker } from 'node:worker_threads'
import type { Kind, Sample } from './figures.ts'

const workers: Worker[] = []
process.on('worker', (worker: Worker) => workers.push(worker))

/** Measures what work takes of this process, all its threads included. Has to be loaded before the first thread starts. */
export async function measure(kind: Kind, work: () => Promise<void>): Promise<Sample> {
  return kind === 'bytes' ? await measureBytes(work) : await measureTimes(work)
}

async function measureBytes(work: () => Promise<void>): Promise<Sample> {
  const writersBefore = await settled(writersBytes)
  const before = await settled(ownBytes)
  await work()
  const after = await settled(ownBytes)
  const writersAfter = await settled(writersBytes)
  return { agentsBytes: after - before, ...(workers.length > 0 && { writersBytes: writersAfter - writersBefore }) }
}

/** How much two readings may differ, in bytes, and how long there is between them, in milliseconds. */
const SAME = 65_536
const PAUSE = 10

/**
 * Reads until two readings in a row are the same but for what reading takes. A single one may count up to a megabyte that V8's compilers, which work in
 * threads of their own, have set aside and do not use.
 */
async function settled(read: () => number | Promise<number>): Promise<number> {
  let last = await read()
  for (let tries = 0; tries < 50; tries += 1) {
    await setTimeout(PAUSE)
    const now = await read()
    if (Math.abs(now - last) < SAME) return now
    last = now
  }
  return last
}

function ownBytes(): number {
  return bytesOf(getHeapStatistics())
}

async function measureTimes(work: () => Promise<void>): Promise<Sample> {
  const started = performance.now()
  const ofProcess = process.cpuUsage()
  const ofThread = threadCpuUsage()
  await work()
  const thread = threadCpuUsage(ofThread)
  const all = process.cpuUsage(ofProcess)
  return { agentsCpu: thread.user + thread.system, processCpu: all.user + all.system, wall: (performance.now() - started) * 1000 }
}

async function writersBytes(): Promise<number> {
  // A recorder's thread does not keep its process alive.
  const awake = setInterval(() => undefined, 1000)
  try {
    const statistics = await Promise.all(workers.map((worker) => worker.getHeapStatistics()))
    return statistics.reduce((sum, each) => sum + bytesOf(each), 0)
  } finally {
    clearInterval(awake)
  }
}

/** @note V8's external memory includes the memory of array buffers: 1,000 arrays of 1 kB are 1,000 kB more of it. */
function bytesOf({ used_heap_size, external_memory }: { readonly used_heap_size: number; readonly external_memory: number }): number {
  return used_heap_size + external_memory
}
