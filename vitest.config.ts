import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    testTimeout: 30_000,
    reporters: ["default", "./test/ClosingLine.ts"],
    projects: [
      {
        extends: true,
        test: { name: "unit", include: ["test/**/*.test.ts"], exclude: ["test/e2e/**", "test/oracle/**", "test/ui/**"] }
      },
      {
        // Brute force over every zone, for `npm run test:oracle`.
        extends: true,
        test: { name: "oracle", include: ["test/oracle/**/*.test.ts"], testTimeout: 1_800_000 }
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: ["test/e2e/build.ts"],
          testTimeout: 120_000
        }
      },
      {
        // The page in a real browser, served by a real Host.
        extends: true,
        test: {
          name: "ui",
          include: ["test/ui/**/*.test.ts"],
          globalSetup: ["test/e2e/build.ts", "test/ui/build.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000
        }
      }
    ]
  }
})
