import { warn } from '../run/tell.ts'

/** Returns a function that warns on its first call only, with that call's error. */
export function warnOnce(what: string): (error: unknown) => void {
  let isGiven = false
  return (error) => {
    if (isGiven) return
    isGiven = true
    warn(`goldenrun: ${what}: ${String(error).replace(/\.$/, '')}. Further failures are not reported; the run itself is not affected.`)
  }
}
