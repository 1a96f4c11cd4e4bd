import { plain } from '../../redaction/plain.ts'
import { runOutside } from '../../run/scope.ts'
import type { NamedKey } from '../../stores/secrets/secret-keys.ts'
import type { SecretStore } from '../../stores/secrets/secret-store.ts'
import { seal } from '../../stores/secrets/sealed-record.ts'

/** How many secrets are kept of a run, and how many characters of them. */
const MOST_SECRETS = 10_000
const MOST_CHARACTERS = 4_000_000

/**
 * Takes what redaction takes out of a run, and writes it encrypted once the run is kept. Until then it is in memory only: of a run whose
 * process dies nothing is kept.
 */
export class RunSecrets {
  readonly #id: string
  readonly #store: SecretStore
  readonly #key: NamedKey
  readonly #secrets = new Map<string, string>()
  /** Credentials, by what they are without escapes. */
  readonly #credentials = new Set<string>()
  #characters = 0

  constructor(id: string, store: SecretStore, key: NamedKey) {
    this.#id = id
    this.#store = store
    this.#key = key
  }

  /** @param isRevealable Whether a person may see it again. What was a credential once is none that may. */
  take(standIn: string, secret: string, isRevealable: boolean): void {
    if (!isRevealable) {
      this.#credentials.add(plain(secret))
      return
    }
    this.#characters += this.#secrets.has(standIn) ? 0 : standIn.length + secret.length
    const isFull = this.#secrets.size >= MOST_SECRETS || this.#characters > MOST_CHARACTERS
    if (!isFull && !this.#secrets.has(standIn)) this.#secrets.set(standIn, secret)
  }

  /** @throws Error with what the store throws as its cause. */
  write(): void {
    try {
      const kept = [...this.#secrets].filter(([, secret]) => !this.#credentials.has(plain(secret)))
      // A nonce that is drawn, and what a store does, is no part of the run.
      if (kept.length > 0) runOutside(() => this.#store.write(this.#id, seal(this.#key, this.#id, kept)))
    } catch (error) {
      throw new Error(`its secrets could not be kept: ${error instanceof Error ? error.message : String(error)}`, { cause: error })
    }
  }
}
