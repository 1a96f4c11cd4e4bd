/** What objects came to when they were redacted, for as long as nothing more is secret. */
export class RedactedObjects {
  #objects = new WeakMap<object, unknown>()

  /** @param redact Redacts the object where that was not done before. */
  redact(object: object, redact: () => unknown): unknown {
    const objects = this.#objects
    const known = objects.get(object)
    if (known !== undefined) return known
    const redacted = redact()
    // What it is now is not kept where that was found out on the way.
    objects.set(object, redacted)
    return redacted
  }

  /** What is secret has changed. */
  clear(): void {
    this.#objects = new WeakMap()
  }
}
