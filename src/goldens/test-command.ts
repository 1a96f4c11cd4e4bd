import { execs, findPackageManager, type PackageManager } from '../stores/package-manager.ts'

/** How a package manager runs a script. */
export function scriptCommand(manager: PackageManager, script: string): string {
  return manager === 'npm' && script === 'test' ? 'npm test' : `${manager} run ${script}`
}

/** Settings of a script that a bare call of the runner lacks: variables, Node options, a different config or project. */
const telling = /(?:^|\s)(?:[A-Z_]+=|cross-env\b|node\b|-c\b|--(?:config|root|rootDir|dir|project|projects|selectProjects|workspace)\b)/

/**
 * The command that runs test files in this project as in the current run: the running script of package.json, if it has settings that a
 * bare call of the runner lacks; else the runner itself.
 *
 * @param runner The runner's command line: `vitest run`.
 * @param args Its arguments.
 */
export function testCommand(runner: string, args: string): string {
  const manager = findPackageManager(process.cwd()) ?? 'npm'
  const { npm_lifecycle_event: name = '', npm_lifecycle_script: script = '' } = process.env
  // Separates npm's own options.
  if (isOwnScript(script, runner)) return `${scriptCommand(manager, name)} ${manager === 'npm' ? '-- ' : ''}${args}`
  const modules = runner === 'jest' && runsModules() ? 'NODE_OPTIONS=--experimental-vm-modules ' : ''
  return `${modules}${execs[manager]} ${runner} ${args}`
}

/** Whether a script is a single call of the runner with settings of its own, to which files can be added. */
export function isOwnScript(script: string, runner: string): boolean {
  const [name = ''] = runner.split(' ')
  const [, before = '', after = ''] = new RegExp(`^(.*?)\\b${name}(?:\\.m?js)?(?=\\s|$)(.*)$`).exec(script) ?? []
  if (before === '' && after === '') return false
  const words = after.split(/\s+/).filter((word) => word !== '' && word !== 'run')
  const hasFilters = words.some((word, index) => !word.startsWith('-') && !/^--?[^=]+$/.test(words[index - 1] ?? ''))
  return telling.test(script) && !/[;&|]/.test(script) && !hasFilters
}

function runsModules(): boolean {
  return [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''].some((option) => option.includes('--experimental-vm-modules'))
}
