/** Going back to a checkpoint: the diff first, then what the person says. */
import { window } from "vscode";

import type { AgentClient } from "./client";
import type { Diffs } from "./diffs";
import { plain } from "./plain";
import type { Checkpoint } from "./protocol";

export async function restoreCheckpoint(client: AgentClient, diffs: Diffs): Promise<void> {
  const chosen = await pick(client);
  if (!chosen) {
    return;
  }
  const { files } = await client.ask("agent/checkpoint/restore", { id: chosen.id, dry_run: true });
  if (files.length === 0) {
    void window.showInformationMessage("Nothing has changed since then.");
    return;
  }
  const what = `${files.length} file${files.length === 1 ? "" : "s"}`;
  const shown = await diffs.show(`Back to ${timeOf(chosen)}`, files, "wanted");
  const yes = `Restore ${what}`;
  const question = `Go back to ${timeOf(chosen)}, before ${chosen.client ?? "the assistant"} began? What you changed yourself stays.`;
  const answer = await window.showInformationMessage(plain(question), yes);
  await shown.close();
  if (answer === yes) {
    await restore(client, chosen);
  }
}

async function restore(client: AgentClient, { id }: Checkpoint): Promise<void> {
  const { files, failed } = await client.ask("agent/checkpoint/restore", { id });
  const [first] = failed ?? [];
  if (first) {
    const all = `${failed?.length ?? 0} of ${files.length + (failed?.length ?? 0)} files`;
    void window.showWarningMessage(
      plain(`${all} could not be restored. ${first.path}: ${first.reason}`),
    );
  }
}

async function pick(client: AgentClient): Promise<Checkpoint | undefined> {
  const { checkpoints } = await client.ask("agent/checkpoint/list", {});
  if (checkpoints.length === 0) {
    void window.showInformationMessage("No assistant has changed anything yet.");
    return undefined;
  }
  const items = checkpoints.map((checkpoint) => ({
    checkpoint,
    label: `$(history) ${timeOf(checkpoint)}`,
    description: `${checkpoint.files} file${checkpoint.files === 1 ? "" : "s"} changed since`,
    detail: [checkpoint.client, checkpoint.reason].filter(Boolean).join(" · "),
  }));
  const title = "Restore a Checkpoint";
  const placeHolder = "The diff is shown before anything is changed";
  return (await window.showQuickPick(items, { title, placeHolder }))?.checkpoint;
}

function timeOf({ time }: Checkpoint): string {
  const date = new Date(time);
  const today = date.toDateString() === new Date().toDateString();
  return today ? date.toLocaleTimeString() : date.toLocaleString();
}
