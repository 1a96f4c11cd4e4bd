import { builtins } from './builtins.ts'

let found: NodeJS.Process | undefined

/** Node's own process object. In a Jest sandbox, `process` and `node:process` are a copy from when the test file started. */
export function realProcess(): NodeJS.Process {
  return (found ??= builtins.vm.runInThisContext('process') as NodeJS.Process)
}
