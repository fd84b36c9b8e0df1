import { createServer } from "node:http"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
