import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { displayPath } from '../node/display-path.ts'
import { orMissing } from '../node/or-missing.ts'
import { printable } from '../trace/printable.ts'
import { GoldenNameError } from './errors/golden-name-error.ts'
import { checkPlace, problemOfName } from './golden-name.ts'

/**
 * Checks what is in a directory of goldens before a test runner looks at it, which prints the names of test files as they are, and reads what links
 * lead to: a line break in a name could begin a command to a CI service, and a device has no end.
 *
 * @throws GoldenNameError, TraceFormatError
 */
export async function checkGoldenDirectory(directory: string): Promise<void> {
  const entries = await orMissing(readdir(directory, { recursive: true, withFileTypes: true }), [])
  for (const entry of entries) {
    const file = path.join(entry.parentPath, entry.name)
    const name = path
      .relative(directory, file)
      .replaceAll(path.sep, '/')
      .replace(/\.jsonl$/, '')
    if (entry.name.endsWith('.jsonl') && printable(name) !== name)
      throw new GoldenNameError(name, problemOfName(name) ?? '', displayPath(file))
    if (entry.isSymbolicLink()) checkPlace(directory, file)
  }
}
