import path from 'node:path'
import { loadConfig } from '../config/load-config.ts'
import type { SecretStore } from '../stores/secrets/secret-store.ts'
import { openSecretStore, type SecretsOptions } from '../stores/secrets/secrets-options.ts'

/** Returns where the config keeps secrets, with its directory as an absolute path; undefined if it does not say. */
export async function configSecrets(): Promise<SecretsOptions | undefined> {
  const { config, file } = await loadConfig()
  if (file === undefined || config.secrets === undefined) return undefined
  const { store, key } = config.secrets
  return { store: typeof store === 'string' ? path.resolve(path.dirname(file), store) : store, key }
}

/** Returns the config's store of secrets, for commands that remove secrets and need no key. */
export async function configSecretStore(): Promise<SecretStore | undefined> {
  const secrets = await configSecrets()
  return secrets && openSecretStore('goldenrun', secrets).store
}
