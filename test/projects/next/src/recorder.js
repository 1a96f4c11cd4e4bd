import { createRecorder } from 'goldenrun'

// Next loads a module once for each bundle: the process has one recorder all the same.
export const recorder = (globalThis.recorder ??= createRecorder({ store: process.env.RUNS }))
