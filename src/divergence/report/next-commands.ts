/** The commands that a report may suggest. Each works as printed, in the folder where the report is read. */
export interface NextCommands {
  /** Runs a package's command: `npx`, `pnpm exec`. */
  readonly exec: string
  /** Accepts changed inputs, outcome and checkpoints into the golden. Absent if that is not possible here. */
  readonly rebase?: string
  /** Runs the agent live and replaces the golden with that run. Absent if that is not possible here. */
  readonly record?: string
  /** Promotes a recording of this agent that is newer than the golden. Absent if there is none. */
  readonly promote?: string
}

/** A goldenrun command, as it is run where the report is read. */
export function goldenrunCommand(commands: NextCommands | undefined, rest: string): string {
  return `${commands?.exec ?? 'npx'} goldenrun ${rest}`
}
