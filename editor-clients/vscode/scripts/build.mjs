// build.mjs: bundles the extension into dist/: extension.js is what activation needs, wire.js what is
// loaded after it.
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

await esbuild.build({
  absWorkingDir: path.dirname(path.dirname(fileURLToPath(import.meta.url))),
  entryPoints: ["src/extension.ts", "src/wire.ts"],
  outdir: "dist",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode", "./wire"],
  supported: { "dynamic-import": false }, // require() is what VS Code gives the module "vscode" to
  minify: true,
  legalComments: "none",
});
