// Runs the MCP server with published clients and prints "N passed, N failed".
// AGENT_LSP_BIN is the program under test.
import { report } from './check.mjs';

for (const part of ['./stdio.mjs', './inspector.mjs', './conformance.mjs', './acp.mjs']) await (await import(part)).run();
process.exit(report());
