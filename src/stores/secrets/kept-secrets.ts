import type { SecretKeys } from './secret-keys.ts'
import { keyIdOf, seal, unseal } from './sealed-record.ts'
import type { AuditEntry, SecretStore } from './secret-store.ts'
import { openSecrets, type SecretsOptions } from './secrets-options.ts'

/** What a record holds, encrypted: each stand-in as it stands in the recording, and what it stands for. */
export type StandInSecrets = readonly (readonly [standIn: string, secret: string])[]

/**
 * Reads the secrets of a run, once the audit log says who did.
 *
 * @returns Undefined if nothing was kept of the run.
 * @throws what the audit log throws if the entry cannot be written, and `SecretsError` as `unseal`.
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
 * Encrypts all secrets again that are not encrypted with the first of the keys. After it, the other keys can be thrown away.
 *
 * @returns How many records were encrypted again.
 * @throws SecretsError for a record that none of the keys decrypts. The records before it are encrypted again.
 */
export async function reencryptSecrets(options: SecretsOptions): Promise<number> {
  const { store, keys } = openSecrets('reencryptSecrets', options)
  let encrypted = 0
  for (const id of await store.list()) {
    const record = await store.read(id)
    // It may have been removed meanwhile.
    if (record === undefined || keyIdOf(record, id) === keys.current.id) continue
    store.write(id, seal(keys.current, id, unseal(keys, id, record)))
    encrypted += 1
  }
  return encrypted
}
