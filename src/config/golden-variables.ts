import { closeSync, openSync, readSync } from 'node:fs'
import { createGoldenDirectory } from '../stores/golden-directory.ts'
import { checkGoldenFile } from '../stores/golden-name.ts'
import { orElse } from '../trace/or-else.ts'
import type { SentVariables } from '../replay/traces/variables-of.ts'

/** The variable by which a test runner's main process tells its workers what the goldens' runs sent. */
const shared = 'GOLDENRUN_VARIABLES'

/** Returns the variables that the runs of a project's goldens sent, for the environment of a test runner's workers. */
export function sharedVariables(directory?: string): Readonly<Record<string, string>> {
  const variables = readAll(directory)
  return Object.keys(variables).length === 0 ? {} : { [shared]: JSON.stringify(variables) }
}

/** Returns the variables that the runs of the project's goldens sent, as the main process told them. */
export function toldVariables(): SentVariables {
  return JSON.parse(process.env[shared] ?? '{}') as SentVariables
}

function readAll(directory: string | undefined): SentVariables {
  const goldens = createGoldenDirectory(directory)
  return Object.assign({}, ...goldens.listNow().map((name) => variablesOfGolden(goldens.fileOf(name)))) as SentVariables
}

/** Returns the variables that a golden's run sent, from its header. None if it cannot be read: its own test reports that. */
export function variablesOfGolden(file: string): SentVariables {
  return orElse(() => {
    checkGoldenFile(file)
    const line = readFirstLine(file)
    if (!line.includes('"variables":')) return {}
    return (JSON.parse(line) as { readonly golden?: { readonly variables?: SentVariables } }).golden?.variables ?? {}
  }, {})
}

function readFirstLine(file: string): string {
  const pieces: Buffer[] = []
  const handle = openSync(file, 'r')
  try {
    for (;;) {
      const piece = Buffer.alloc(16_384)
      const read = readSync(handle, piece)
      const end = piece.subarray(0, read).indexOf('\n')
      pieces.push(piece.subarray(0, end === -1 ? read : end))
      if (end !== -1 || read === 0) return Buffer.concat(pieces).toString()
    }
  } finally {
    closeSync(handle)
  }
}
