import { plain } from '../../redaction/plain.ts'
import { runOutside } from '../../run/scope.ts'
import type { NamedKey } from '../../stores/secrets/secret-keys.ts'
import type { SecretStore } from '../../stores/secrets/secret-store.ts'
import { seal } from '../../stores/secrets/sealed-record.ts'

/** The maximum number of secrets kept of a run, and of their characters. */
const MOST_SECRETS = 10_000
const MOST_CHARACTERS = 4_000_000

/**
 * Collects the secrets that redaction removes from a run, and writes them encrypted once the run is kept. Until then they are in memory only: nothing
 * is kept of a run whose process dies.
 */
export class RunSecrets {
  readonly #id: string
  readonly #store: SecretStore
  readonly #key: NamedKey
  readonly #secrets = new Map<string, string>()
  /** The credentials, without escapes. */
  readonly #credentials = new Set<string>()
  #characters = 0

  constructor(id: string, store: SecretStore, key: NamedKey) {
    this.#id = id
    this.#store = store
    this.#key = key
  }

  /** @param isRevealable Whether a person may see the secret again. A value that was a credential once may not be seen. */
  take(standIn: string, secret: string, isRevealable: boolean): void {
    if (!isRevealable) {
      this.#credentials.add(plain(secret))
      return
    }
    this.#characters += this.#secrets.has(standIn) ? 0 : standIn.length + secret.length
    const isFull = this.#secrets.size >= MOST_SECRETS || this.#characters > MOST_CHARACTERS
    if (!isFull && !this.#secrets.has(standIn)) this.#secrets.set(standIn, secret)
  }

  /** @throws Error with the store's error as its cause. */
  write(): void {
    try {
      const kept = [...this.#secrets].filter(([, secret]) => !this.#credentials.has(plain(secret)))
      // The nonce that is drawn and the store's own calls are not part of the run.
      if (kept.length > 0) runOutside(() => this.#store.write(this.#id, seal(this.#key, this.#id, kept)))
    } catch (error) {
      throw new Error(`its secrets could not be kept: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  }
}
