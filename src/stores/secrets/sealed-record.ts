import { builtins } from '../../node/builtins.ts'
import { parseJson } from '../../trace/json.ts'
import { SecretsError } from '../errors/secrets-error.ts'
import type { NamedKey, SecretKeys } from './secret-keys.ts'

/**
 * A record is `GRSECRT1`, the length of its header in two bytes, the header as JSON, a nonce, the tag, and the secrets encrypted with
 * AES-256-GCM. Everything before the nonce is authenticated, so that neither the run nor the key of a record can be swapped.
 */
const MAGIC = Buffer.from('GRSECRT1')
const NONCE = 12
const TAG = 16
const CIPHER = 'aes-256-gcm'

interface Header {
  /** The id of the run. */
  readonly run: string
  /** The id of the key. */
  readonly key: string
}

/** Encrypts the secrets of a run with a fresh nonce. */
export function seal(key: NamedKey, run: string, secrets: unknown): Uint8Array {
  const header = Buffer.from(JSON.stringify({ run, key: key.id } satisfies Header))
  const length = Buffer.alloc(2)
  length.writeUInt16BE(header.length)
  const authenticated = Buffer.concat([MAGIC, length, header])
  const nonce = builtins.crypto.randomBytes(NONCE)
  const cipher = builtins.crypto.createCipheriv(CIPHER, key.bytes, nonce).setAAD(authenticated)
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(secrets), 'utf8'), cipher.final()])
  return Buffer.concat([authenticated, nonce, cipher.getAuthTag(), encrypted])
}

/** Returns the id of the key that a record was encrypted with. @throws SecretsError if it is not a record. */
export function keyIdOf(sealed: Uint8Array, run: string): string {
  return readHeader(Buffer.from(sealed), run).header.key
}

/**
 * Decrypts the secrets of a run.
 *
 * @throws SecretsError if the record's key is missing, or the record was changed or belongs to another run.
 */
export function unseal(keys: SecretKeys, run: string, sealed: Uint8Array): unknown {
  const bytes = Buffer.from(sealed)
  const { header, end } = readHeader(bytes, run)
  const key = keys.find(header.key)
  if (key === undefined)
    throw new SecretsError(
      `The secrets of ${run} are encrypted with the key ${header.key}, which is not among the given keys. Add it after the current key: secrets: { key: [current, earlier] }`,
    )
  const [nonce, tag] = [bytes.subarray(end, end + NONCE), bytes.subarray(end + NONCE, end + NONCE + TAG)]
  try {
    const decipher = builtins.crypto.createDecipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG })
    decipher.setAAD(bytes.subarray(0, end)).setAuthTag(tag)
    const text = Buffer.concat([decipher.update(bytes.subarray(end + NONCE + TAG)), decipher.final()]).toString()
    return JSON.parse(text)
  } catch (error) {
    throw changed(run, { cause: error })
  }
}

function readHeader(bytes: Buffer, run: string): { readonly header: Header; readonly end: number } {
  const start = MAGIC.length + 2
  if (bytes.length < start || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw changed(run)
  const end = start + bytes.readUInt16BE(MAGIC.length)
  const header = parseJson(bytes.subarray(start, end).toString()) as Partial<Header> | undefined
  if (bytes.length < end + NONCE + TAG || header?.run !== run || typeof header.key !== 'string') throw changed(run)
  return { header: { run, key: header.key }, end }
}

function changed(run: string, options?: ErrorOptions): SecretsError {
  return new SecretsError(
    `The secrets of ${run} cannot be decrypted: the record was changed or cut off, or belongs to another run. Restore it from a backup.`,
    options,
  )
}
