/** A kind of secret, with some of it as they are sent. */
export interface Kind {
  readonly kind: string
  readonly samples: readonly {
    /** What must not be on the disk. */
    readonly secret: string
    /** With what it is known by, where its shape alone does not tell. */
    readonly text: string
  }[]
}
