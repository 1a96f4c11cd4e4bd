/** A digest in the value of a header: the header's index, the digest's place in its value, its algorithm and its form. */
export type DigestMark = readonly [header: number, offset: number, algorithm: DigestAlgorithm, form: DigestForm]

/** The algorithms of digests in headers. */
export type DigestAlgorithm = 'md5' | 'sha1' | 'sha256' | 'sha512' | 'crc32' | 'crc32c' | 'crc64nvme'

/** How a digest is written. */
export type DigestForm = 'hex' | 'base64' | 'base64-unpadded' | 'decimal'
