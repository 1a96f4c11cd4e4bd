import path from 'node:path'

/** Returns the name of a program, without its folder. */
export function programName(file: string): string {
  return path.basename(file)
}

/** Returns the program that a shell's command begins with. Leaves out its arguments and preceding variables, which may hold secrets. */
export function commandOfShell(command: string): string {
  const [, double, single, bare] = programAtStart.exec(command.trimStart().replace(variables, '')) ?? []
  return programName(double ?? single ?? bare ?? 'shell')
}

/** Matches `NAME=value` and `NAME="a value"`, any number of times. */
const variables = /^(?:\w+=(?:"[^"]*"|'[^']*'|[^\s"'])*(?:\s+|$))+/
const programAtStart = /^(?:"([^"]+)"|'([^']+)'|([^\s"';|&]+))/
