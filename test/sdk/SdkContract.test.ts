import { Effect, Layer } from "effect"
import { ScheduleClient } from "../../src/remote/ScheduleClient.ts"
import * as ScheduleHandlers from "../../src/remote/ScheduleHandlers.ts"
import * as AgentResolver from "../../src/runtime/AgentResolver.ts"
import * as ScheduleConfig from "../../src/runtime/ScheduleConfig.ts"
import { ScheduleService } from "../../src/runtime/ScheduleService.ts"
import * as SdkClient from "../../src/sdk/SdkClient.ts"
import { remoteContract } from "../remote/RemoteContract.ts"
import * as Wire from "./Wire.ts"

remoteContract(
  "over the SDK protocol",
  Layer.scoped(
    ScheduleClient,
    Effect.gen(function* () {
      const service = Layer.succeed(ScheduleService, yield* ScheduleService)
      const wire = yield* Wire.serve(() =>
        Layer.mergeAll(
          Layer.provide(ScheduleHandlers.layerClient, service),
          AgentResolver.layer,
          ScheduleConfig.layer()
        )
      )
      const client = yield* SdkClient.make(wire.connection, { deliver: () => Effect.succeed(true) })
      return client.schedule
    }).pipe(Effect.orDie)
  )
)
