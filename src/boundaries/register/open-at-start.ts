/** The effect of loading `goldenrun/register`: opens the doors for the life of the process, and reports which ones stay shut. */
import { otherRuntime, sayUnrecorded } from '../../run/other-runtime.ts'
import { say } from '../../run/tell.ts'
import { processWide } from '../../node/process-wide.ts'
import { installDoors } from '../doors.ts'
import { hookIdLibraries } from '../identity/library-hooks.ts'
import { findShutDoors } from './shut-doors.ts'

const registered = processWide('registered', () => ({ realms: new WeakSet<object>(), said: new Set<string>() }))

const runtime = otherRuntime()

// A test runner loads a setup file again for each test file.
if (runtime !== undefined) sayOnce(sayUnrecorded(runtime))
else if (!registered.realms.has(globalThis)) {
  registered.realms.add(globalThis)
  // Checked before the doors open, to detect whether a preload has opened them.
  const shut = findShutDoors()
  const failure = hookIdLibraries()
  installDoors()
  for (const line of shut(failure)) sayOnce(line)
}

function sayOnce(line: string): void {
  if (registered.said.has(line)) return
  registered.said.add(line)
  say(`goldenrun/register: ${line}`)
}
