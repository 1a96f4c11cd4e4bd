import { frameFile, isOwnFile, isPackageFile } from '../node/frame-file.ts'

/** A captured stack. Its text is created lazily. */
export interface Stack {
  /** The running frames, followed by the frames that await them, if V8 knows them. */
  readonly stack: string
  /** Only the running frames. */
  readonly running: string
  /** Whether the agent's code is running. */
  readonly runsAgent: boolean
}

/** Captures the running code's stack. A client's own frames come before the agent's, so more frames are captured than by default. */
export function captureStack(): Stack {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = framesKept
  const [error, probe] = [new Error('call'), new Error('call')]
  Error.stackTraceLimit = limit
  let frames: readonly NodeJS.CallSite[] | undefined
  const running = (): readonly NodeJS.CallSite[] => (frames ??= runningFrames(probe))
  return {
    get stack() {
      return error.stack ?? ''
    },
    get running() {
      const lines = (error.stack ?? '').split('\n')
      const first = lines.findIndex((line) => /^\s+at /.test(line))
      return lines.slice(0, first + running().length).join('\n')
    },
    get runsAgent() {
      return running().some(isOfAgent)
    },
  }
}

const framesKept = 40

/**
 * Returns the frames of an error that were on the stack, without those that await them. Uses V8's API, because the text of a stack does not
 * always distinguish them.
 */
function runningFrames(probe: Error): readonly NodeJS.CallSite[] {
  const printing = Error.prepareStackTrace
  let running: readonly NodeJS.CallSite[] = []
  Error.prepareStackTrace = (_, frames: readonly (NodeJS.CallSite & { isAsync?(): boolean })[]) => {
    running = frames.filter((frame) => !frame.isAsync?.())
    return ''
  }
  void probe.stack
  if (printing === undefined) Reflect.deleteProperty(Error, 'prepareStackTrace')
  else Error.prepareStackTrace = printing
  return running
}

function isOfAgent(frame: NodeJS.CallSite): boolean {
  const file = frameFile(frame.getFileName() ?? '')
  return file !== undefined && !isOwnFile(file) && !isPackageFile(file)
}
