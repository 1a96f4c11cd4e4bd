import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The interval at which a lock of another process is checked, in milliseconds. */
const interval = 50

/** Runs `body` while no other process of this machine holds the lock. @param lock A folder that exists while the lock is held. */
export async function withLock<Result>(lock: string, body: () => Promise<Result>): Promise<Result> {
  while (!(await take(lock))) await sleep(interval)
  try {
    return await body()
  } finally {
    await rm(lock, { recursive: true, force: true })
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    await mkdir(lock)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (await isLeft(lock)) await rm(lock, { recursive: true, force: true })
    return false
  }
  await writeFile(path.join(lock, 'pid'), String(process.pid))
  return true
}

/** Returns whether the process that took a lock ended without releasing it. */
async function isLeft(lock: string): Promise<boolean> {
  const pid = Number(await readFile(path.join(lock, 'pid'), 'utf8').catch(() => ''))
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
