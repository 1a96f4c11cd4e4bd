import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import type { RequireInSandbox } from './sandbox-key.ts'

/** A module of goldenrun as a script: a function that is called once per sandbox. */
export type Body = (
  exports: object,
  require: (name: string) => unknown,
  module: { exports: object },
  file: string,
  directory: string,
) => void

/** An edit that turns a part of a built file into script code: see `scripts/build-sandbox.ts`. */
type Edit = readonly [start: number, end: number, text: string]

/** The parameters of a script. */
export const parameters = 'exports, require, module, __filename, __dirname'

/** Packages that the sandbox provides: what the test registers with OpenTelemetry is registered there. */
const fromSandbox: ReadonlySet<string> = new Set(['@jest/globals', '@opentelemetry/api'])

/**
 * Returns a function that loads goldenrun's modules in a sandbox and evaluates each once.
 *
 * @param directory The folder of the built package.
 * @param evaluate Creates the function of a script in the sandbox.
 */
export function createModules(directory: string, evaluate: (file: string) => Body): RequireInSandbox {
  const modules = new Map<string, { exports: object }>()
  const load = (file: string, requireHere: (name: string) => unknown): object => {
    const known = modules.get(file)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    modules.set(file, module)
    const requireOutside = createRequire(file)
    // Node's modules, and packages that are not bundled into ours (msw, jiti), come from outside, where Node also requires modules.
    const requireOwn = (name: string): unknown => {
      if (name.startsWith('.')) return load(path.resolve(path.dirname(file), name), requireHere)
      return fromSandbox.has(name) ? requireHere(name) : requireOutside(name)
    }
    evaluate(file)(module.exports, requireOwn, module, file, path.dirname(file))
    return module.exports
  }
  return (entry, requireHere) => load(path.join(directory, `${entry}.js`), requireHere)
}

/** Creates a function that reads a built file as the text of a script. */
export function createScriptReader(directory: string): (file: string) => string {
  const written = brotliDecompressSync(readFileSync(path.join(directory, 'jest/sandbox/edits.json.br'))).toString()
  const edits = JSON.parse(written) as Readonly<Record<string, readonly Edit[]>>
  return (file) => {
    const text = readFileSync(file, 'utf8')
    const own = edits[path.relative(directory, file).replaceAll('\\', '/')] ?? []
    let script = "'use strict';"
    let from = 0
    for (const [start, end, replacement] of own) {
      script += text.slice(from, start) + replacement
      from = end
    }
    return script + text.slice(from)
  }
}
