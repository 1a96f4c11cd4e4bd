import { closeDoors, installDoors } from '../boundaries/doors.ts'
import { setStandInKeys } from '../config/stand-in-keys.ts'
import { leaveSurroundings } from '../replay/engine/surroundings.ts'
import { runInTest } from '../run/scope.ts'

/** What the environment does with a sandbox that goldenrun is loaded in. */
export interface OpenedSandbox {
  /** Sets API keys that are not set to stand-ins. */
  setStandInKeys(): void
  /** Runs the body of a test, or of a hook. */
  runInTest<Result>(body: () => Result): Result
  /** Puts back all that was replaced, in the sandbox and in what it shares with the process, whoever still uses it. */
  close(): void
}

/** Opens the doors in the sandbox that this is loaded in. */
export function openSandbox(): OpenedSandbox {
  installDoors()
  return {
    setStandInKeys,
    runInTest,
    close() {
      leaveSurroundings()
      closeDoors()
    },
  }
}
