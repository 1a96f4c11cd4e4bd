import path from 'node:path'

/** The name of a program, without its folder. */
export function programName(file: string): string {
  return path.basename(file)
}

/** The program that a shell's command begins with. Arguments and variables set before it are left out: they may hold secrets. */
export function commandOfShell(command: string): string {
  const [, quoted, bare] = /^\s*(?:\w+=(?:"[^"]*"|'[^']*'|[^\s"'])*\s+)*(?:["']([^"']+)["']|([^\s"';|&]+))/.exec(command) ?? []
  return programName(quoted ?? bare ?? 'shell')
}
