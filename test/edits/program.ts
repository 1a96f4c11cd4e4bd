/** An agent as a list of what it does, so that an edit of it is a function from list to list. */
export type Program = readonly Statement[]

/** One thing that an agent does, and waits for. `id` names it through every edit. */
export type Statement =
  | ToolStatement
  | ModelStatement
  | SleepStatement
  | ReadStatement
  | CheckpointStatement
  | ParallelStatement
  | RaceStatement
  | HeartbeatStatement

/** An argument: written in the code, drawn by a read before, or asked for by the model. */
export type Argument = string | { readonly drawn: string } | { readonly asked: number }

/** Calls a tool. */
export interface ToolStatement {
  readonly kind: 'tool'
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, Argument>>
  readonly effect?: 'write'
}

/** Asks the model and reads its streamed answer. */
export interface ModelStatement {
  readonly kind: 'model'
  readonly id: string
  /** What it says to the model; `told` adds what the tools answered so far, in the order in which they did. */
  readonly prompt: string
  readonly told: boolean
  /** How often the SDK tries again. */
  readonly retries: number
}

export interface SleepStatement {
  readonly kind: 'sleep'
  readonly id: string
  readonly milliseconds: number
}

/** Reads the clock or draws a random number; kept under its id. */
export interface ReadStatement {
  readonly kind: 'clock' | 'random'
  readonly id: string
}

/** Names the agent's state: what the tools answered so far, in alphabetical order. */
export interface CheckpointStatement {
  readonly kind: 'checkpoint'
  readonly id: string
}

/** Does all its branches at once and waits for all of them. */
export interface ParallelStatement {
  readonly kind: 'parallel'
  readonly id: string
  readonly branches: readonly Program[]
}

/** Does all its branches at once and waits for the first. */
export interface RaceStatement {
  readonly kind: 'race'
  readonly id: string
  readonly branches: readonly Program[]
}

/** Does `body` while an interval ticks. */
export interface HeartbeatStatement {
  readonly kind: 'heartbeat'
  readonly id: string
  readonly milliseconds: number
  readonly body: Program
}

/** A program with every statement put through `edit`, the inner ones first; a statement may become none or several. */
export function mapProgram(program: Program, edit: (statement: Statement) => readonly Statement[]): Program {
  return program.flatMap((statement) => {
    if (statement.kind === 'parallel' || statement.kind === 'race') {
      const branches = statement.branches.map((branch) => mapProgram(branch, edit)).filter(({ length }) => length > 0)
      // A race of nothing would never end.
      return branches.length === 0 ? [] : edit({ ...statement, branches })
    }
    return edit(statement.kind === 'heartbeat' ? { ...statement, body: mapProgram(statement.body, edit) } : statement)
  })
}
