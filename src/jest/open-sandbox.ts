import { closeDoors, installReplayDoors } from '../boundaries/doors.ts'
import { toldVariables } from '../config/golden-variables.ts'
import { setStandInKeys } from '../config/stand-in-keys.ts'
import { runTest } from '../goldens/test-work.ts'
import { leaveSurroundings } from '../replay/engine/surroundings.ts'
import { runInTest } from '../run/scope.ts'

/** The operations of a sandbox that goldenrun is loaded in. */
export interface OpenedSandbox {
  /** Sets stand-ins for missing API keys. */
  setStandInKeys(): void
  /** Runs the body of a hook. */
  runInTest<Result>(body: () => Result): Result
  /** Runs the body of a test, which has to await the replays that it begins. */
  runTest<Result>(body: () => Result): Result
  /** Restores everything that was replaced, in the sandbox and in the process, even if it is still in use. */
  close(): void
}

/** Opens the doors in the sandbox that loads this module. */
export function openSandbox(): OpenedSandbox {
  installReplayDoors()
  return {
    setStandInKeys: () => setStandInKeys(toldVariables()),
    runInTest,
    runTest: (body) => runTest(() => runInTest(body)),
    close() {
      leaveSurroundings()
      closeDoors()
    },
  }
}
