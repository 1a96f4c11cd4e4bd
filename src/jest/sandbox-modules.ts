import { type Context, Script } from 'node:vm'
import type { RequireInSandbox } from './sandbox-key.ts'
import { type Body, createModules, createScriptReader, parameters } from './sandbox-scripts.ts'

/** Scripts, compiled once per worker for all of its test files. */
const scripts = new Map<string, Script>()

/**
 * Loads goldenrun's modules once per sandbox, so that the agent and the test share them, even after `jest.resetModules()`, and their objects
 * belong to the sandbox's own realm. Jest's `require` would also work, but would compile them for each test file.
 *
 * @param directory The folder of the built package.
 */
export function createSandboxModules(context: Context, directory: string): RequireInSandbox {
  let read: ((file: string) => string) | undefined
  return createModules(directory, (file) => {
    const known = scripts.get(file)
    if (known !== undefined) return known.runInContext(context) as Body
    read ??= createScriptReader(directory)
    const script = new Script(`(function (${parameters}) {${read(file)}\n})`, { filename: file })
    scripts.set(file, script)
    return script.runInContext(context) as Body
  })
}
