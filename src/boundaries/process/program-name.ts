import path from 'node:path'

/** The name of a program, without its folder. */
export function programName(file: string): string {
  return path.basename(file)
}

/** The program that a shell's command begins with. Its arguments, and variables set before it, are left out: they may hold secrets. */
export function commandOfShell(command: string): string {
  const [, double, single, bare] = programAtStart.exec(command.trimStart().replace(variables, '')) ?? []
  return programName(double ?? single ?? bare ?? 'shell')
}

/** `NAME=value` and `NAME="a value"`, any number of times. */
const variables = /^(?:\w+=(?:"[^"]*"|'[^']*'|[^\s"'])*(?:\s+|$))+/
const programAtStart = /^(?:"([^"]+)"|'([^']+)'|([^\s"';|&]+))/
