import type { DigestMark } from './digest-mark.ts'

/**
 * Header names and values, in order of arrival; a name may occur more than once. Names of an answer are as received since format 3; all others are in
 * lower case.
 */
export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/** The head of an HTTP answer. */
export interface HttpHead {
  readonly status: number
  /** The reason phrase, unless it is the standard one of the status. */
  readonly statusText?: string
  /** The version of HTTP, if `node:http` received an answer of one before 1.1. */
  readonly version?: string
  readonly headers: HeaderPairs
  /** Names in lower case of headers that were received and left out (`left-out-headers.ts`). */
  readonly leftOut?: readonly string[]
  /** The digests in the values of headers. They are cut out of the values, because redaction may change what they are digests of. */
  readonly digests?: readonly DigestMark[]
  /** The final URL, if redirects led to a different one. */
  readonly url?: string
}

/** How a fetch treats a redirect that it does not follow: it gives the redirect itself, or fails. */
export type UnfollowedRedirect = 'manual' | 'error'

/** A value of a request that says who asks, or that comes from the environment. */
export interface Credential {
  /** Where: the name of a header, in lower case, with the name of a part (`cookie.sid`, `authorization.user`); `query.<name>`. */
  readonly at: string
  /** Its stand-in: the same for the same value, also elsewhere in the trace. Absent for a value that is no credential: it stands in the request. */
  readonly value?: string
  /** The names of the environment variables that had this value. Absent if none had. */
  readonly variables?: readonly string[]
}

/** What a client sees of the connection of its request, if that differs from a new connection to a trusted server. Only for `http.request`. */
export interface ConnectionState {
  /** An earlier request of the client's agent had used the connection. */
  readonly reused?: true
  /** The client accepts a server whose certificate it cannot verify. */
  readonly authorized?: false
  /** Why the certificate could not be verified: a code of OpenSSL. */
  readonly authorizationError?: string
  /** The protocol that both sides agreed on. */
  readonly alpnProtocol?: string
}
