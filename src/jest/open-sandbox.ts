import { closeDoors, installDoors } from '../boundaries/doors.ts'
import { setStandInKeys } from '../config/stand-in-keys.ts'
import { leaveSurroundings } from '../replay/surroundings.ts'

/** What the environment does with a sandbox that goldenrun is loaded in. */
export interface OpenedSandbox {
  /** Sets API keys that are not set to stand-ins. */
  setStandInKeys(): void
  /** Puts back all that was replaced, in the sandbox and in what it shares with the process, whoever still uses it. */
  close(): void
}

/** Opens the doors in the sandbox that this is loaded in. */
export function openSandbox(): OpenedSandbox {
  installDoors()
  return {
    setStandInKeys,
    close() {
      leaveSurroundings()
      closeDoors()
    },
  }
}
