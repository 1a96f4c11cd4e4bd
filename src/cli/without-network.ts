import { spawnSync } from 'node:child_process'

/** The environment variable that tells a process that it has no network. */
export const ISOLATED = 'GOLDENRUN_ISOLATED'

/** A program and its arguments. */
export type CommandLine = readonly [program: string, ...args: string[]]

/**
 * Returns a command line that runs a program in a network namespace of its own, which has only loopback. Undefined where the system does not allow
 * it: not on Linux, without the programs of util-linux and iproute2, in most containers, and where the system restricts user namespaces.
 *
 * @note A user who is not root needs a user namespace. Its only user is that one, and it keeps its capabilities until loopback is up. Root does without: in
 * a user namespace, it could not read the files of other users. Source: user_namespaces(7), network_namespaces(7).
 */
export function withoutNetwork(command: CommandLine): CommandLine | undefined {
  if (process.platform !== 'linux') return undefined
  const isRoot = process.getuid?.() === 0
  const unshare = isRoot ? ['--net'] : ['--user', '--map-current-user', '--keep-caps', '--net']
  // The process ends with the one that started it, however that ends.
  const drop = `setpriv --pdeathsig=SIGKILL ${isRoot ? '' : '--inh-caps=-all --ambient-caps=-all '}`
  const inside = (program: CommandLine): CommandLine => [
    'unshare',
    ...unshare,
    '--',
    'sh',
    '-c',
    `{ ip link set lo up || ifconfig lo up; } 2> /dev/null && exec ${drop}"$@"`,
    'sh',
    ...program,
  ]
  const [program, ...args] = inside(['true'])
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0 ? inside(command) : undefined
}
