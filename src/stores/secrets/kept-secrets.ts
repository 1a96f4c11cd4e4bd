import type { SecretKeys } from './secret-keys.ts'
import { keyIdOf, seal, unseal } from './sealed-record.ts'
import type { AuditEntry, SecretStore } from './secret-store.ts'
import { openSecrets, type SecretsOptions } from './secrets-options.ts'

/** The content of a record, encrypted: each stand-in as it occurs in the recording, and the secret that it replaces. */
export type StandInSecrets = readonly (readonly [standIn: string, secret: string])[]

/**
 * Reads the secrets of a run, after an audit log entry says who asked.
 *
 * @returns Undefined if no secrets of the run were kept.
 * @throws The audit log's error if the entry cannot be written, and `SecretsError` as `unseal`.
 */
export async function revealSecrets(
  { store, keys }: { readonly store: SecretStore; readonly keys: SecretKeys },
  entry: AuditEntry,
): Promise<StandInSecrets | undefined> {
  const record = await store.read(entry.run)
  if (record === undefined) return undefined
  await store.audit(entry)
  return unseal(keys, entry.run, record) as StandInSecrets
}

/**
 * Encrypts all secrets again that are not encrypted with the first key. Afterwards the other keys can be thrown away.
 *
 * @returns The number of records encrypted again.
 * @throws SecretsError for a record that none of the keys decrypts. The records before it have been encrypted again.
 */
export async function reencryptSecrets(options: SecretsOptions): Promise<number> {
  const { store, keys } = openSecrets('reencryptSecrets', options)
  let encrypted = 0
  for (const id of await store.list()) {
    const record = await store.read(id)
    // It may have been removed in the meantime.
    if (record === undefined || keyIdOf(record, id) === keys.current.id) continue
    store.write(id, seal(keys.current, id, unseal(keys, id, record)))
    encrypted += 1
  }
  return encrypted
}
