/** Something a person can put right: shown as one line, without a stack. */
export class StartFailure extends Error {
  override name = 'StartFailure'
}
