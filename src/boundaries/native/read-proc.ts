import { readFileSync, readlinkSync } from 'node:fs'

// No import of goldenrun's own, so that the thread that looks starts in no time.

/** Reads a file of the kernel; empty if it is gone by now. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** Reads where a link of the kernel leads; empty if it is gone by now. */
export function readTarget(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    return ''
  }
}
