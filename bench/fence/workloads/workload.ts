/** Where a workload runs. */
export interface Setting {
  /** The folder of the built package that is measured. */
  readonly folder: string
  /** The address of the provider, which has a process of its own: `http://127.0.0.1:<port>`. */
  readonly provider: string
}

/** Work that is ready to be measured. */
export interface Work {
  /** How many units `run` does. */
  readonly units: number
  run(): Promise<void>
}

/** A workload that runs in a process of its own. The process is warmed up and measured by `prepare` and `run`. */
export type Workload = (setting: Setting) => Promise<Work>
