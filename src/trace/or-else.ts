/** Returns the result of `read`, or `otherwise` if it throws. */
export function orElse<Result, Otherwise>(read: () => Result, otherwise: Otherwise): Result | Otherwise {
  try {
    return read()
  } catch {
    return otherwise
  }
}
