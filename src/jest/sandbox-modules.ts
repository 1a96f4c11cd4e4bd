import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { type Context, Script } from 'node:vm'
import type { RequireInSandbox } from './sandbox-key.ts'

type Body = (exports: object, require: (name: string) => unknown, module: Module, file: string, directory: string) => void

interface Module {
  exports: object
}

/** Packages that are loaded from the sandbox: the test's OpenTelemetry registrations are there. */
const fromSandbox: ReadonlySet<string> = new Set(['@jest/globals', '@opentelemetry/api'])

/** Compiled once per worker, for all of its test files. */
const scripts = new Map<string, Script>()

/**
 * Loads goldenrun's modules once per sandbox. So the agent and the test share them, even after `jest.resetModules()`, and their objects
 * belong to the sandbox's own realm. Jest's `require` could load them too, but would compile them for each test file.
 *
 * @param directory The folder of the package's CommonJS build.
 */
export function createSandboxModules(context: Context, directory: string): RequireInSandbox {
  const modules = new Map<string, Module>()
  const load = (file: string, requireHere: (name: string) => unknown): object => {
    const known = modules.get(file)
    if (known !== undefined) return known.exports
    const module: Module = { exports: {} }
    modules.set(file, module)
    const requireOutside = createRequire(file)
    const body = compile(file).runInContext(context) as Body
    // Other packages (msw, jiti) and Node's modules are loaded outside of the sandbox, by Node's own require.
    const requireOwn = (name: string): unknown => {
      if (name.startsWith('.')) return load(path.resolve(path.dirname(file), name), requireHere)
      return fromSandbox.has(name) ? requireHere(name) : requireOutside(name)
    }
    body(module.exports, requireOwn, module, file, path.dirname(file))
    return module.exports
  }
  return (entry, requireHere) => load(path.join(directory, `${entry}.cjs`), requireHere)
}

function compile(file: string): Script {
  const known = scripts.get(file)
  if (known !== undefined) return known
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`
  const script = new Script(source, { filename: file })
  scripts.set(file, script)
  return script
}
