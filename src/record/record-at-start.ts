/** Loaded before a program's own modules, where `goldenrun record --whole-process` started it. */
import { recordProcess } from './record-process.ts'

await recordProcess()
