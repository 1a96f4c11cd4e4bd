/** An alternative way to replay: records an agent's calls once, and answers them any number of times. */
export interface Peer {
  readonly name: string
  /**
   * Records the calls of `agent`.
   *
   * @param providerUrl The provider's `baseURL`, in the form that the `openai` SDK takes. The provider is gone when the recording is replayed.
   * @param folder An empty folder for its files.
   * @throws The error of its package if it cannot do this.
   */
  record(agent: PeerAgent, providerUrl: string, folder: string): Promise<PeerRecording>
}

/** Makes the calls at a `baseURL`. Rejects if an answer differs from the recorded one. */
export type PeerAgent = (baseUrl: string) => Promise<void>

/** The calls of an agent, as a peer stores them. */
export interface PeerRecording {
  /** Answers the agent's calls once, including the setup and cleanup between two tests. */
  replay(agent: PeerAgent): Promise<void>
  /** Stops what the peer keeps running over many replays, as a test file does after its tests. */
  close(): Promise<void>
}
