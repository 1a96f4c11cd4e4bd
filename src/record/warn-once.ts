import { warn } from '../run/tell.ts'

/** A warning that is given the first time only, with what went wrong then. */
export function warnOnce(what: string): (error: unknown) => void {
  let isGiven = false
  return (error) => {
    if (isGiven) return
    isGiven = true
    warn(`goldenrun: ${what}: ${String(error).replace(/\.$/, '')}. Further failures are not reported; the run itself is not affected.`)
  }
}
