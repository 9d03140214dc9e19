import js from "@eslint/js";
import ts from "typescript-eslint";

export default ts.config(
  { ignores: ["dist/", "node_modules/", "src/generated/", "tests/node_modules/"] },
  js.configs.recommended,
  {
    files: ["src/**/*.ts", "tests/unit/**/*.ts"],
    extends: [...ts.configs.strictTypeChecked, ...ts.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    // node's test runner awaits its tests by itself
    files: ["tests/unit/**/*.ts"],
    rules: { "@typescript-eslint/no-floating-promises": "off" },
  },
  {
    files: ["**/*.mjs", "**/*.cjs"],
    languageOptions: {
      globals: Object.fromEntries(
        [
          "process",
          "console",
          "URL",
          "fetch",
          "setTimeout",
          "setInterval",
          "clearInterval",
          "performance",
          "require",
          "exports",
          "module",
          "__dirname",
          "document",
          "window",
          "Buffer",
          "MutationObserver",
          "requestAnimationFrame",
          "MessageChannel",
        ].map((name) => [name, "readonly"]),
      ),
    },
  },
);
