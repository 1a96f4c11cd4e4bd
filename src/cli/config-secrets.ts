import path from 'node:path'
import { loadConfig } from '../config/load-config.ts'
import type { SecretStore } from '../stores/secrets/secret-store.ts'
import { openSecretStore, type SecretsOptions } from '../stores/secrets/secrets-options.ts'

/** Where the config says that secrets are kept, with its directory as an absolute path; undefined if it says nothing. */
export async function configSecrets(): Promise<SecretsOptions | undefined> {
  const { config, file } = await loadConfig()
  if (file === undefined || config.secrets === undefined) return undefined
  const { store, key } = config.secrets
  return { store: typeof store === 'string' ? path.resolve(path.dirname(file), store) : store, key }
}

/** The store of them, for commands that remove and need no key. */
export async function configSecretStore(): Promise<SecretStore | undefined> {
  const secrets = await configSecrets()
  return secrets && openSecretStore('goldenrun', secrets).store
}
