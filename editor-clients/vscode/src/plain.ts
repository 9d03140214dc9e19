/**
 * A text for a message of VS Code's that comes from elsewhere: in messages `[text](command:id)` is a
 * link that runs a command, and names of files and assistants may hold anything.
 */
export function plain(text: string): string {
  return text.replaceAll("](", "] (");
}
