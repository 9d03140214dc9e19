// Runs functions that the tests send, with the extension API at hand. For tests alone.
const http = require("node:http");
const { monitorEventLoopDelay } = require("node:perf_hooks");
const vscode = require("vscode");

const state = { monitorEventLoopDelay };

exports.activate = (context) => {
  const server = http.createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", async () => {
      try {
        const { source, argument } = JSON.parse(body);
        const value = await eval(`(${source})`)(vscode, argument, state);
        response.end(JSON.stringify({ value }));
      } catch (error) {
        response.end(JSON.stringify({ error: String(error?.stack ?? error) }));
      }
    });
  });
  const listen = () => server.listen(Number(process.env.PROBE_PORT), "127.0.0.1");
  server.on("error", () => setTimeout(listen, 50)); // the host of before still has it
  listen();
  context.subscriptions.push({ dispose: () => server.close() });
};
