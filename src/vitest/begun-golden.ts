import { rmSync, writeFileSync } from 'node:fs'
import { url } from 'node:inspector'
import path from 'node:path'
import { builtins } from '../node/builtins.ts'
import { realTimers } from '../node/real-timers.ts'
import type { Restore } from '../boundaries/patches.ts'

/** A golden whose file a worker runs, as the process that started the worker reads it. */
export interface BegunGolden {
  readonly name: string
  readonly file: string
  readonly pid: number
  /** For how long it may do nothing but compute, in milliseconds. */
  readonly limit: number
}

/** Milliseconds between two signs of life. */
const BEAT = 1000

/** Says that this worker runs a golden's file, and that it is alive as long as it can. @param folder Where `GoldenWatch` reads it. */
export function beginGolden(folder: string, golden: Omit<BegunGolden, 'pid'>): Restore {
  // A debugger holds the worker up for as long as it likes.
  if (url() !== undefined) return () => undefined
  const entry = path.join(folder, `${process.pid}-${builtins.workerThreads.threadId}.json`)
  const text = JSON.stringify({ ...golden, pid: process.pid } satisfies BegunGolden)
  let isOver = false
  const beat = (): void => {
    if (isOver) return
    writeFileSync(entry, text)
    realTimers.setTimeout(beat, BEAT).unref()
  }
  beat()
  return () => {
    isOver = true
    rmSync(entry, { force: true })
  }
}
