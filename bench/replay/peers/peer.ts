/** What others replay with: it records the calls of an agent once, and answers them as often as it is asked to. */
export interface Peer {
  readonly name: string
  /**
   * Records what `agent` calls.
   *
   * @param providerUrl The provider's `baseURL`, as the `openai` SDK takes it. Nothing is there any more when the recording is replayed.
   * @param folder An empty folder for what it keeps.
   * @throws What its package throws where it cannot do the job.
   */
  record(agent: PeerAgent, providerUrl: string, folder: string): Promise<PeerRecording>
}

/** Makes the calls at a `baseURL`, and rejects where one is not answered as it was. */
export type PeerAgent = (baseUrl: string) => Promise<void>

/** The calls of an agent as a peer keeps them. */
export interface PeerRecording {
  /** Answers the agent's calls once, with what setting up and putting away that asks for between two tests. */
  replay(agent: PeerAgent): Promise<void>
  /** Ends what the peer keeps running over many replays, as a test file would when its tests are done. */
  close(): Promise<void>
}
