/** Something that the kernel says this process has: a connection, or a child. Passed between threads. */
export type Sighting =
  | {
      readonly kind: 'connection'
      /** Names it as long as it is open: the socket's inode. */
      readonly id: string
      readonly descriptor: number
      /** `10.0.0.7:443`, or the bound port of a datagram socket without a peer. */
      readonly peer: string
      readonly isDatagram: boolean
      /** An event loop of Node's waits for it. Code that uses libuv on its own is taken for Node here. */
      readonly isInLoop: boolean
    }
  | {
      readonly kind: 'child'
      /** The process id, and when it started. */
      readonly id: string
      readonly pid: number
      /** When it was started, in seconds since the machine was. */
      readonly startedAt: number
      /** The program's name. */
      readonly program: string
    }

/** Counters that only rise. */
export interface Counters {
  /** Page faults of children that have ended: every child has some. */
  readonly ended: number
  /** Connections that were attempted and datagrams that were sent in this network namespace, by anybody. */
  readonly attempts: number
}

/** What the kernel says at one moment. */
export interface View {
  readonly sightings: readonly Sighting[]
  readonly counters: Counters
}
