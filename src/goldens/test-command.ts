import { execs, findPackageManager, type PackageManager } from '../stores/package-manager.ts'

/** Returns the command that runs a package.json script. */
export function scriptCommand(manager: PackageManager, script: string): string {
  return manager === 'npm' && script === 'test' ? 'npm test' : `${manager} run ${script}`
}

/** Settings that a script has and a bare call of the runner lacks: variables, Node options, a different config or project. */
const telling = /(?:^|\s)(?:[A-Z_]+=|cross-env\b|node\b|-c\b|--(?:config|root|rootDir|dir|project|projects|selectProjects|workspace)\b)/

/**
 * Returns the command that runs test files like the current run: the running script of package.json, if it has settings that a
 * bare call of the runner lacks; otherwise the runner itself.
 *
 * @param runner The runner's command line: `vitest run`.
 * @param args The arguments of the runner.
 */
export function testCommand(runner: string, args: string): string {
  const manager = findPackageManager(process.cwd()) ?? 'npm'
  const { npm_lifecycle_event: name = '', npm_lifecycle_script: script = '' } = process.env
  // Separates the arguments from npm's own options.
  if (isOwnScript(script, runner)) return `${scriptCommand(manager, name)} ${manager === 'npm' ? '-- ' : ''}${args}`
  const modules = runner === 'jest' && runsModules() ? 'NODE_OPTIONS=--experimental-vm-modules ' : ''
  return `${modules}${execs[manager]} ${runner} ${args}`
}

/** Returns whether a script is a single call of the runner with its own settings, so that files can be appended. */
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
