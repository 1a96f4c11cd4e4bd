/** The commands that can be run next, where a red replay is read: what a report may advise. Each works as it stands there. */
export interface NextCommands {
  /** Runs a package's command: `npx`, `pnpm exec`. */
  readonly exec: string
  /** Takes changed inputs, outcome and checkpoints over into the golden. Absent where that cannot be done here. */
  readonly rebase?: string
  /** Runs the agent live, and puts that run in the golden's place. Absent where that cannot be done here. */
  readonly record?: string
  /** Promotes a recording of this agent that is newer than the golden. Absent where there is none. */
  readonly promote?: string
}

/** A command of goldenrun's, as it is run where a report is read. */
export function goldenrunCommand(commands: NextCommands | undefined, rest: string): string {
  return `${commands?.exec ?? 'npx'} goldenrun ${rest}`
}
