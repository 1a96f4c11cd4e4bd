import { spawnSync } from 'node:child_process'
import { devNull } from 'node:os'
import { GoldenrunError } from '../../trace/errors/goldenrun-error.ts'

/** The result of a git command. */
interface GitResult {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs git in a directory, synchronously: signals are handled between two commands, never in the middle of one.
 *
 * @throws GoldenrunError `GOLDENRUN_PAST_CODE` if git cannot be started.
 */
export function tryGit(directory: string, args: readonly string[], input = ''): GitResult {
  const settled = ['-c', `core.hooksPath=${devNull}`, ...args]
  const { status, stdout, stderr, error } = spawnSync('git', settled, {
    cwd: directory,
    env: environment(),
    input,
    encoding: 'utf8',
    maxBuffer: Number.POSITIVE_INFINITY,
  })
  if (error !== undefined)
    throw pastCodeError(`git could not be started: ${error.message}. Install it, or add it to PATH.`, { cause: error })
  return { status: status ?? 1, stdout, stderr }
}

/** Runs a git command that has to succeed. Returns its output. */
export function git(directory: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = tryGit(directory, args, input)
  if (status !== 0) throw pastCodeError(`git ${args.join(' ')} ended with exit status ${status}: ${stderr.trim()}`)
  return stdout
}

/** Returns an error about past code that is not available. */
export function pastCodeError(message: string, options?: ErrorOptions): GoldenrunError {
  return new GoldenrunError('GOLDENRUN_PAST_CODE', message, options)
}

/** Returns the environment for git. In a git hook, variables name the hook's own repository and index. No checkout may contact a server. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|PREFIX|NAMESPACE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES)$/.test(name),
  )
  return { ...Object.fromEntries(own), LC_ALL: 'C', GIT_LFS_SKIP_SMUDGE: '1', GIT_NO_LAZY_FETCH: '1', GIT_TERMINAL_PROMPT: '0' }
}
