import { builtins } from '../../node/builtins.ts'
import { OptionsError } from '../../trace/errors/options-error.ts'

/** 32 bytes: raw, in base64 or in hexadecimal digits. */
export type KeyText = string | Uint8Array

/**
 * The key that encrypts secrets: one key, or several, of which the first encrypts and the others decrypt earlier records. As text,
 * several are separated by commas. A function is called without an id for the key that encrypts, and with the id of a record's key; it
 * returns undefined for a key that it does not have.
 */
export type SecretKey = KeyText | readonly KeyText[] | ((keyId?: string) => KeyText | undefined)

/** A key with the id that records name it by. */
export interface NamedKey {
  /** 16 hexadecimal digits, derived from the key. */
  readonly id: string
  readonly bytes: Uint8Array
}

/** The keys of a secret store. */
export interface SecretKeys {
  /** The key that encrypts. */
  readonly current: NamedKey
  /** Returns the key with an id; undefined if there is none. */
  find(id: string): NamedKey | undefined
}

/**
 * Reads keys.
 *
 * @throws OptionsError if a key is invalid. The message does not quote it.
 */
export function readSecretKeys(caller: string, key: SecretKey | undefined): SecretKeys {
  if (typeof key === 'function') {
    return {
      current: readKey(caller, key()),
      find(id) {
        const found = key(id)
        return found === undefined ? undefined : readKey(caller, found)
      },
    }
  }
  const listed = typeof key === 'string' ? key.split(',').map((text) => text.trim()) : isBytes(key) || key === undefined ? [key] : key
  const [current, ...earlier] = listed.map((text) => readKey(caller, text))
  if (current === undefined) throw noKey(caller)
  const keys = [current, ...earlier]
  return { current, find: (id) => keys.find((candidate) => candidate.id === id) }
}

function readKey(caller: string, text: KeyText | undefined): NamedKey {
  if (text === undefined || text.length === 0) throw noKey(caller)
  const bytes = isBytes(text) ? text : decode(text)
  if (bytes?.length !== KEY_LENGTH)
    throw new OptionsError(
      caller,
      'secrets',
      'has to have a key of 32 bytes, as base64 or hexadecimal digits. To make one: openssl rand -base64 32',
    )
  const id = builtins.crypto.createHmac('sha256', bytes).update('goldenrun key id').digest('hex').slice(0, 16)
  return { id, bytes }
}

const KEY_LENGTH = 32

function isBytes(key: unknown): key is Uint8Array {
  return key instanceof Uint8Array
}

function decode(text: string): Uint8Array | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return new Uint8Array(Buffer.from(text, 'hex'))
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? new Uint8Array(Buffer.from(text, 'base64')) : undefined
}

function noKey(caller: string): OptionsError {
  return new OptionsError(
    caller,
    'secrets',
    'has no key. Pass one from the environment, secrets: { store, key: process.env.GOLDENRUN_SECRETS_KEY }, and set the variable. To make one: openssl rand -base64 32',
  )
}
