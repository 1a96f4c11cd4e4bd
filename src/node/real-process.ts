import { builtins } from './builtins.ts'

let found: NodeJS.Process | undefined

/** Returns Node's own process object. In a Jest sandbox, `process` and `node:process` are copies from the start of the test file. */
export function realProcess(): NodeJS.Process {
  return (found ??= builtins.vm.runInThisContext('process') as NodeJS.Process)
}
