/** Stands for a credential in a header or a URL of a recorded request. */
export const credentialMark = '[credential]'
