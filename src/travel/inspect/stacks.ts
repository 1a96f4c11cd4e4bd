/**
 * Removes the program's own printer of stacks. Reading a variable that is not declared yet makes V8 create an error and print its stack.
 *
 * @returns A function that puts it back.
 */
export function suspendStacks(): () => void {
  const printer = Reflect.getOwnPropertyDescriptor(Error, 'prepareStackTrace')
  if (printer?.configurable !== true) return () => undefined
  Reflect.deleteProperty(Error, 'prepareStackTrace')
  return () => void Reflect.defineProperty(Error, 'prepareStackTrace', printer)
}

/** A function that awaits the running code, as V8 knows; line and column from 0. */
export interface AwaitingFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
  readonly columnNumber: number
}

/**
 * Returns the functions that await the running code, the innermost first. V8 follows promises, so functions that have returned or only started a
 * timer are not among them.
 */
export function awaitingFrames(): AwaitingFrame[] {
  const found: AwaitingFrame[] = []
  const prepare = (_: unknown, sites: readonly NodeJS.CallSite[]): string => {
    for (const site of sites) {
      const url = site.getScriptNameOrSourceURL()
      if (!site.isAsync() || site.isPromiseAll() || !url) continue
      const [line, column] = [site.getLineNumber() ?? 1, site.getColumnNumber() ?? 1]
      found.push({ functionName: site.getFunctionName() ?? '', url, lineNumber: line - 1, columnNumber: column - 1 })
    }
    return ''
  }
  const restore = [replaceOwn('prepareStackTrace', prepare), replaceOwn('stackTraceLimit', MOST_FRAMES)]
  const holder: { stack?: string } = {}
  captureStackTrace(holder, awaitingFrames)
  // The stack is computed on the first read.
  void holder.stack
  for (const each of restore) each()
  return found
}

/** Taken before the agent may replace it. */
const { captureStackTrace } = Error

const MOST_FRAMES = 200

/** Replaces a property of the program's `Error`. @returns A function that puts it back. */
function replaceOwn(name: 'prepareStackTrace' | 'stackTraceLimit', value: unknown): () => void {
  const before = Reflect.getOwnPropertyDescriptor(Error, name)
  if (before?.configurable === false) return () => undefined
  Reflect.defineProperty(Error, name, { value, writable: true, enumerable: false, configurable: true })
  return () => {
    if (before === undefined) Reflect.deleteProperty(Error, name)
    else Reflect.defineProperty(Error, name, before)
  }
}
