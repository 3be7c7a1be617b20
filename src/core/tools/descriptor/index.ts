/** A descriptor says what a tool is. `descriptor.ts` has its types, `check.ts` judges one that was sent. */
export * from './descriptor.ts'
export { checkDescriptor, type CheckedDescriptor } from './check.ts'
export { secretName, type Code } from './container.ts'
export { placeholders } from './http.ts'
export { findSecret } from './secrets.ts'
