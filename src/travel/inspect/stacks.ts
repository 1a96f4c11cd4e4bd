/**
 * Takes the program's own printer of stacks away. Reading a variable that is not declared yet makes V8 create an error, and print it.
 *
 * @returns A function that puts it back.
 */
export function suspendStacks(): () => void {
  const printer = Reflect.getOwnPropertyDescriptor(Error, 'prepareStackTrace')
  if (printer?.configurable !== true) return () => undefined
  Reflect.deleteProperty(Error, 'prepareStackTrace')
  return () => void Reflect.defineProperty(Error, 'prepareStackTrace', printer)
}
