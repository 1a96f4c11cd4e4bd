import { isOwnFile, isPackageFile } from '../node/frame-file.ts'
import { type CallSite, fromWorkingDirectory, readFrame, stackTo } from './call-site.ts'

/** A line of the agent's code, and the function that it is in; empty if that has no name. */
export interface AgentLine extends CallSite {
  readonly name: string
}

/** Returns the lines of the agent's code on a stack, the innermost first. */
export function agentLines(stack: string | undefined): AgentLine[] {
  return (stack?.split('\n') ?? []).flatMap((line) => {
    const frame = readFrame(line)
    if (frame === undefined || isOwnFile(frame.file) || isPackageFile(frame.file)) return []
    const [, name = ''] = nameInFrame.exec(line) ?? []
    return [{ ...fromWorkingDirectory(frame), name }]
  })
}

/** Returns the agent's lines that led to a line of its own, the innermost first; empty if they are not known. */
export function linesTo(site: CallSite): AgentLine[] {
  return agentLines(stackTo(site))
}

const nameInFrame = /^\s+at (?:async )?(.*?) \(/
