/** Why a credential could not be compared. */
export type Unproven =
  /** On one side it is in no variable, and the run was not given it: it comes from a file, a secret manager, the context or the code. */
  | 'unknown-origin'
  /** Several variables have the same value here, so that one in place of another does not show. */
  | 'same-value'

/** A credential that was accepted although it could not be compared. */
export interface UnprovenCredential {
  readonly step: number
  /** The name of a header, in lower case, with the name of a part (`cookie.sid`, `authorization.user`); `query.<name>`. */
  readonly at: string
  readonly why: Unproven
}
