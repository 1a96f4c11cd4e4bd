/**
 * Calls a function and waits for its result, as `await` does, in as many microtasks.
 *
 * @note V8 lists every function that awaits in the stacks of what it waits for. Agents put stacks into prompts and logs, so what waits for an
 * agent's code passes the result on by `then`, which no stack shows.
 * @param pass Returns the result, or another one in its place.
 * @param fail Throws the error, or returns a result. Default: throws it.
 */
export function callUnseen<Output, Result>(
  call: () => Output,
  pass: (output: Awaited<Output>) => Result,
  fail: (error: unknown) => Result = rethrow,
): Promise<Result> {
  let called: Promise<Awaited<Output>>
  try {
    called = Promise.resolve(call())
  } catch (error) {
    called = Promise.reject<Awaited<Output>>(error)
  }
  return called.then(pass, fail)
}

function rethrow(error: unknown): never {
  throw error
}
