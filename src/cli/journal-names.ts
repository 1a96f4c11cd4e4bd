/** The environment variable that names the folder of the journal to the process that replays. */
export const JOURNAL = 'GOLDENRUN_REPLAY_JOURNAL'

/** The file in it that asks for a process with a network. */
export const NEEDS_NETWORK = 'needs-network'

/** The exit status of such a process. Source: sysexits.h, EX_TEMPFAIL. */
export const RESTART = 75

/** How often that process says that it can still do something, in milliseconds. */
export const BEAT = 1000
