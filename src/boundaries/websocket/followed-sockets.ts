import { processWide } from '../../node/process-wide.ts'
import type { SentMessages } from './sent-messages.ts'

/** What is sent over sockets that are followed. A socket may be opened through one copy of the package and written to through another. */
export const followedSockets: WeakMap<object, SentMessages> = processWide('followed-web-sockets', () => new WeakMap())
