import path from 'node:path'
import type { RequireInSandbox } from './sandbox-key.ts'
import { type Body, createModules, createScriptReader, parameters } from './sandbox-scripts.ts'

/** The package's folder: this file is in `dist/jest/sandbox`. */
const directory = path.join(__dirname, '..', '..')
const read = createScriptReader(directory)

/** Loads goldenrun's modules in the sandbox of another test environment, where tests of an agent import its entries as well. */
export const requireWithoutEnvironment: RequireInSandbox = createModules(directory, (file) => {
  // oxlint-disable-next-line typescript/no-implied-eval -- it is of the sandbox's own realm, as `node:vm` is not
  return new Function(parameters, `${read(file)}\n//# sourceURL=${file}`) as Body
})
