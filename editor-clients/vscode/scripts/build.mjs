// build.mjs: bundles the extension into dist/extension.js.
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

await esbuild.build({
  absWorkingDir: path.dirname(path.dirname(fileURLToPath(import.meta.url))),
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  minify: true,
  legalComments: "none",
});
