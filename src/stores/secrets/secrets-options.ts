import { OptionsError } from '../../trace/errors/options-error.ts'
import { readSecretKeys, type SecretKey, type SecretKeys } from './secret-keys.ts'
import { createSecretDirectory, type SecretStore } from './secret-store.ts'

/** Where the values that redaction takes out are kept, encrypted, for the few who may need them. */
export interface SecretsOptions {
  /** A directory, readable only by its owner, or a store. */
  readonly store: string | SecretStore
  /** The key, from the environment: 32 bytes in base64 or hexadecimal digits; several for rotation, or a function: see `SecretKey`. */
  readonly key: SecretKey | undefined
}

/** A secret store with its keys. */
export interface OpenedSecrets {
  readonly store: SecretStore
  /** The directory, if the store is one. */
  readonly directory: string | undefined
  readonly keys: SecretKeys
}

/** @throws OptionsError for invalid options or a missing key. */
export function openSecrets(caller: string, options: SecretsOptions): OpenedSecrets {
  return { ...openSecretStore(caller, options), keys: readSecretKeys(caller, options.key) }
}

/** Opens the store without its keys, for removing. */
export function openSecretStore(caller: string, { store }: SecretsOptions): Pick<OpenedSecrets, 'store' | 'directory'> {
  if (typeof store === 'string' && store !== '') return { store: createSecretDirectory(store), directory: store }
  const methods = ['write', 'read', 'remove', 'list', 'audit'] as const
  if (typeof store === 'object' && methods.every((method) => typeof store[method] === 'function')) return { store, directory: undefined }
  throw new OptionsError(caller, 'secrets', `has to have a directory as "store", or a store with ${methods.join(', ')}.`)
}
