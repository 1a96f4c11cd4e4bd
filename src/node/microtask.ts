const done = Promise.resolve()

/**
 * Runs `action` as a microtask.
 *
 * @note Node's `queueMicrotask` creates an async resource for each. With async hooks, which a replay has, that costs several times as much.
 */
export function soon(action: () => void): void {
  void done.then(action)
}
