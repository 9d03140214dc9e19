// generate.mjs [--check]: makes src/generated/ and the settings and tools in package.json from what
// the server says of itself (scripts/describe). With --check nothing is written, and what is not
// fresh is an error.
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as prettier from "prettier";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
// For hosts that run commands themselves, which the chat does not.
const notForChat = new Set(["persist_output"]);

const notice = "// Made by scripts/generate.mjs; do not edit.\n\n";
const server = JSON.parse(
  execFileSync("go", ["run", "./scripts/describe"], { cwd: root, encoding: "utf8" }),
);

await emit("src/generated/tools.ts", toolsModule());
await emit("src/generated/settings.ts", settingsModule());
await emit("package.json", manifest());

async function emit(name, text) {
  const file = path.join(root, name);
  const fresh = await prettier.format(text, {
    ...(await prettier.resolveConfig(file)),
    filepath: file,
  });
  const old = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
  if (fresh === old) return;
  if (process.argv.includes("--check")) {
    console.error(`${name} is not fresh: "make generate" writes it`);
    process.exitCode = 1;
    return;
  }
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, fresh);
  console.log(`wrote ${name}`);
}

function toolsModule() {
  const inputs = server.tools.map((t) => member(t.name, t.input, true, t.doc));
  const outputs = server.tools.map((t) => member(t.name, t.output, true));
  const readOnly = server.tools.filter((t) => t.readOnly).map((t) => t.name);
  return (
    `${notice}/** The arguments of each tool. */\nexport interface ToolInputs {\n${inputs.join("\n")}\n}\n\n` +
    `/** The structured answer of each tool; members that say nothing are left out. */\nexport interface ToolOutputs {\n${outputs.join("\n")}\n}\n\n` +
    `export type ToolName = keyof ToolInputs;\n\n` +
    `export const toolNames: readonly ToolName[] = ${JSON.stringify(server.tools.map((t) => t.name))};\n\n` +
    `/** Tools of which no call changes anything. */\nexport const readOnlyTools: ReadonlySet<string> = new Set(${JSON.stringify(readOnly)});\n`
  );
}

function member(name, schema, required, doc = schema.description) {
  const comment = doc ? `/** ${doc.replaceAll("*/", "* /")} */\n` : "";
  return `${comment}${name}${required ? "" : "?"}: ${type(schema)};`;
}

function type(schema) {
  if (schema.enum) return schema.enum.map((v) => JSON.stringify(v)).join(" | ");
  switch (schema.type) {
    case "string":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "array":
      return `Array<${schema.items ? type(schema.items) : "unknown"}>`;
    case "object":
      return objectType(schema);
  }
  return "unknown";
}

function objectType(schema) {
  const names = Object.keys(schema.properties ?? {});
  if (names.length === 0) {
    const values = schema.additionalProperties;
    return values && typeof values === "object"
      ? `Record<string, ${type(values)}>`
      : "Record<string, never>";
  }
  const required = new Set(schema.required ?? []);
  return `{\n${names.map((n) => member(n, schema.properties[n], required.has(n))).join("\n")}\n}`;
}

function settingsModule() {
  const rows = server.settings.map(
    (s) => `{ key: ${JSON.stringify(s.key)}, machine: ${machineOnly(s)} },`,
  );
  return (
    `${notice}/** The server's settings; those for the machine alone are never taken from a workspace. */\n` +
    `export const serverSettings: readonly { key: string; machine: boolean }[] = [\n${rows.join("\n")}\n];\n\n` +
    `/** VS Code's names of the encodings that the server knows. */\n` +
    `export const knownEncodings: ReadonlySet<string> = new Set(${JSON.stringify(server.encodings)});\n`
  );
}

function machineOnly(setting) {
  return setting.rule !== "any value";
}

function manifest() {
  const json = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  const contributes = json.contributes;
  const [own] = contributes.configuration.filter((section) => section.title === "Extension");
  contributes.configuration = [
    own,
    {
      title: "Server",
      properties: Object.fromEntries(
        server.settings.map((s) => [`agentLSP.${s.key}`, property(s)]),
      ),
    },
  ];
  contributes.languageModelTools = server.tools
    .filter((t) => !notForChat.has(t.name))
    .map(languageModelTool);
  return JSON.stringify(json);
}

function property(setting) {
  return {
    ...settingType(setting.type),
    default: defaultOf(setting.key),
    scope: machineOnly(setting) ? "machine" : "window",
    markdownDescription: setting.doc,
  };
}

function settingType(kind) {
  switch (kind) {
    case "integer":
      return { type: "integer", minimum: 0 };
    case "boolean":
    case "string":
      return { type: kind };
    case "patterns":
    case "paths":
      return { type: "array", items: { type: "string" } };
  }
  return { type: "string", enum: kind.split("|") };
}

// Go spells the same words with capitals; an absent list is an empty one.
function defaultOf(key) {
  let value = server.defaults;
  for (const part of key.split(".")) {
    value = value[Object.keys(value).find((k) => k.toLowerCase() === part.toLowerCase())];
  }
  return value ?? [];
}

function languageModelTool(tool) {
  return {
    name: `agent-lsp_${tool.name}`,
    toolReferenceName: `agentLsp_${tool.name}`,
    displayName: words(tool.name),
    userDescription: tool.doc.split(/(?<=\.)\s/, 1)[0],
    modelDescription: tool.doc,
    canBeReferencedInPrompt: true,
    icon: tool.readOnly ? "$(eye)" : "$(edit)",
    when: "config.agentLSP.assistants == tools",
    tags: ["agent-lsp"],
    inputSchema: tool.input,
  };
}

function words(name) {
  const text = name.replaceAll("_", " ");
  return `agent-lsp: ${text}`;
}
