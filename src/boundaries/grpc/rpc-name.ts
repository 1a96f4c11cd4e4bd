import { stepNameOf } from './grpc-call.ts'

/** The name of the step of a call over HTTP/2. A proxy may have the service below a path of its own. */
export function rpcName(url: string): string {
  return stepNameOf(new URL(url).pathname.split('/').slice(-2).join('/'))
}

/** The input of a call that is left before its first message was sent. */
export const unsent = { unsent: true } as const
