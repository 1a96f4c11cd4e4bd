/**
 * Variables that determine which programs and libraries a machine runs, and where it finds them. A trace comes from elsewhere and must not
 * change them, so a replay always has the process's own.
 *
 * @note Windows ignores their case.
 */
const MACHINE =
  /^(?:PATH|PATHEXT|COMSPEC|SHELL|BASH_ENV|ENV|IFS|LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED|GIT_.*|PYTHON(?:PATH|STARTUP|HOME)|PERL5(?:LIB|OPT)|RUBY(?:LIB|OPT)|JAVA_TOOL_OPTIONS|npm_config_.*)$/i

/** Returns whether a variable is the machine's own. */
export function isMachineVariable(name: string): boolean {
  return MACHINE.test(name)
}
