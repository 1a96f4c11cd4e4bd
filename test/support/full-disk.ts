import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/** A disk that is full. */
export interface FullDisk {
  /** Makes room. */
  release(): void
}

/** Has each `writeSync` in this process fail from now on, as it does where the disk is full. */
export function fillDisk(): FullDisk {
  const { writeSync } = fs
  const set = (write: unknown): void => {
    Object.assign(fs, { writeSync: write })
    syncBuiltinESMExports()
  }
  set(() => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
  })
  return { release: () => set(writeSync) }
}
