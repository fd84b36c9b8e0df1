/**
 * The SDK protocol: a Host behind a program that owns its Sessions, over stdio. Its client, its server, and its composition.
 *
 * @since 0.1.0
 */
export * as Composition from "./Composition.ts"
export { DelegationDepth } from "./DelegationDepth.ts"
export * as SdkClient from "./SdkClient.ts"
export { type SdkCode, SdkFailure } from "./SdkFailure.ts"
export * as SdkProcess from "./SdkProcess.ts"
export * as SdkProtocol from "./SdkProtocol.ts"
export * as SdkServer from "./SdkServer.ts"
