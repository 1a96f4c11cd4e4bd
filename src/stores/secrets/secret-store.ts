import { chmodSync, closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { builtins } from '../../node/builtins.ts'
import { orMissing } from '../../node/or-missing.ts'
import { makeDirectory } from '../make-directory.ts'

/** Stores the values that redaction took out, encrypted. It never sees them in clear text. */
export interface SecretStore {
  /** Stores the record of a run, replacing an earlier one. Called while recordings are written, so it has to be synchronous. */
  write(id: string, record: Uint8Array): void
  /** Reads the record of a run; undefined if there is none. */
  read(id: string): Promise<Uint8Array | undefined>
  /** Removes the record of a run. Resolves to whether there was one. */
  remove(id: string): Promise<boolean>
  /** Lists the ids of the runs that have a record. */
  list(): Promise<string[]>
  /** Adds an entry to the audit log. Has to reject unless the entry is on disk: nothing is revealed without it. */
  audit(entry: AuditEntry): Promise<void>
}

/** An audit entry: somebody asked to see the secrets of a run. */
export interface AuditEntry {
  /** ISO 8601. */
  readonly at: string
  /** `user@host`. */
  readonly who: string
  /** The id of the run. */
  readonly run: string
}

const EXTENSION = '.secrets'

/**
 * Creates a directory with one encrypted file per run, and the audit log `audit.jsonl`. Only its owner may read it.
 *
 * @param directory A path, absolute or relative to the working directory.
 */
export function createSecretDirectory(directory: string): SecretStore {
  const fileOf = (id: string): string => path.join(directory, `${path.basename(id)}${EXTENSION}`)
  const make = (): void => {
    makeDirectory(directory)
    chmodSync(directory, 0o700)
  }
  return {
    write(id, record) {
      make()
      const temporary = path.join(directory, `.${builtins.crypto.randomUUID()}.tmp`)
      try {
        writeFileSync(temporary, record, { flag: 'wx', mode: 0o600, flush: true })
        renameSync(temporary, fileOf(id))
      } finally {
        rmSync(temporary, { force: true })
      }
    },
    read: (id) => orMissing(readFile(fileOf(id)), undefined),
    remove: async (id) => (await orMissing(rm(fileOf(id)), 'missing')) !== 'missing',
    async list() {
      const names = await orMissing(readdir(directory), [])
      return names.flatMap((name) => (name.endsWith(EXTENSION) ? [name.slice(0, -EXTENSION.length)] : [])).toSorted()
    },
    async audit(entry) {
      make()
      const file = openSync(path.join(directory, 'audit.jsonl'), 'a', 0o600)
      try {
        writeSync(file, `${JSON.stringify(entry)}\n`)
        fsyncSync(file)
      } finally {
        closeSync(file)
      }
    },
  }
}
