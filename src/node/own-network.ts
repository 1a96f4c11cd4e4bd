import { processWide } from './process-wide.ts'

/** What is known about the network of this process. `isOwn`: it is a namespace that this process shares with nobody but its children. */
export const network: { isOwn: boolean } = processWide('network', () => ({ isOwn: false }))
