/** Preloaded in the tests of ws: records the process as one run. */
import { installDoors } from '../src/boundaries/doors.ts'
import { recordProcess } from '../src/record/record-process.ts'

installDoors()
await recordProcess()
