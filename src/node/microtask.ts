const done = Promise.resolve()

/**
 * Runs `action` as a microtask.
 *
 * @note Node's `queueMicrotask` makes a resource of each, which async hooks are told of, and a replay has such a hook: it costs several times as much.
 */
export function soon(action: () => void): void {
  void done.then(action)
}
