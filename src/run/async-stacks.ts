import { createHook, executionAsyncResource } from 'node:async_hooks'
import { currentScope } from './scope.ts'
import { captureStack, type Stack } from './stack.ts'

/** Returns whether stacks are asynchronous now. */
export function areStacksAsync(): boolean {
  return tracing > 0
}

/** Returns where the agent's own code started the running code; undefined unless stacks are asynchronous. */
export function beginningOfNow(): Stack | undefined {
  return tracing === 0 ? undefined : beginnings.get(executionAsyncResource())
}

/**
 * Runs `body` with asynchronous stacks in every run: each promise, timer and callback remembers the agent's code that started it. V8's own
 * stacks end where a client waits without awaiting a native promise.
 *
 * @note Slow, because each promise captures a stack. Only for a replay that has already failed.
 */
export async function withAsyncStacks<Result>(body: () => Promise<Result>): Promise<Result> {
  if (tracing === 0) hook.enable()
  tracing += 1
  try {
    return await body()
  } finally {
    tracing -= 1
    if (tracing === 0) hook.disable()
  }
}

let tracing = 0

/** Stacks by the resource of the running callback: for a promise, the promise itself. */
const beginnings = new WeakMap<object, Stack>()

const hook = createHook({
  init(_id, _type, _trigger, resource) {
    if (currentScope() === undefined) return
    const stack = captureStack()
    const beginning = stack.runsAgent ? stack : beginnings.get(executionAsyncResource())
    if (beginning !== undefined) beginnings.set(resource, beginning)
  },
})
