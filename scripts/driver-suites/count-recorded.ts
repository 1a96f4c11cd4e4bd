import { existsSync } from 'node:fs'
import { createDirectoryStore } from '../../src/stores/directory-store.ts'

/** The contents of recordings. */
export interface Recorded {
  /** The number of steps, and how many of them are the driver's. */
  readonly steps: number
  readonly driverSteps: number
  /** Contacts that they note as unrecorded. */
  readonly notes: readonly string[]
}

interface Line {
  readonly kind: string
  readonly name?: string
  readonly what?: string
  readonly where?: string
}

/** Counts the contents of the recordings in a directory, whether or not their runs have an end. */
export async function countRecorded(directory: string, driver: string): Promise<Recorded> {
  if (!existsSync(directory)) return { steps: 0, driverSteps: 0, notes: [] }
  const store = createDirectoryStore(directory)
  const lines: Line[] = []
  for (const id of await store.list()) {
    const stored = await store.read(id)
    for (const line of stored?.text.split('\n') ?? []) if (line !== '') lines.push(JSON.parse(line) as Line)
  }
  const calls = lines.filter(({ kind }) => kind === 'call')
  const contacts = lines.filter(({ kind, what }) => kind === 'note' && what === 'unrecorded-contact')
  return {
    steps: calls.length,
    driverSteps: calls.filter(({ name }) => name?.startsWith(`${driver} `)).length,
    // Without ports, and without the program's line.
    notes: [...new Set(contacts.map(({ where = '' }) => where.replace(/ at .*$/s, '').replace(/:\d+$/, '')))],
  }
}
