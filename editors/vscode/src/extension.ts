// Starts `memlint server` for Python files and notebooks, and starts it again when its settings change.

import { accessSync, constants } from "node:fs";
import { commands, extensions, ExtensionContext, window, workspace } from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";
import { serverCommand } from "./command";

let client: LanguageClient | undefined;

export async function activate(context: ExtensionContext): Promise<void> {
  context.subscriptions.push(
    commands.registerCommand("memlint.restart", restart),
    workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("memlint")) {
        await restart();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
  client = undefined;
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function start(): Promise<void> {
  const settings = workspace.getConfiguration("memlint");
  if (!settings.get<boolean>("enable", true)) {
    return;
  }
  const [command, ...args] = serverCommand(settings.get<string[]>("command", []), await interpreter(), isProgram);
  const server: ServerOptions = { command, args };
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "python" }],
    synchronize: {
      fileEvents: workspace.createFileSystemWatcher("**/{*.py,pyproject.toml,memlint.toml,.memlint.toml,*.json}"),
    },
  };
  client = new LanguageClient("memlint", "memlint", server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const reason = error instanceof Error ? error.message : String(error);
    void window.showErrorMessage(
      `memlint: ${[command, ...args].join(" ")} does not start (${reason}). ` +
        "Install it with pip install 'torch-memlint[server]', or set memlint.command.",
    );
  }
}

/** The Python that the Python extension has selected, where there is one. */
async function interpreter(): Promise<string | undefined> {
  const extension = extensions.getExtension("ms-python.python");
  if (extension === undefined) {
    return undefined;
  }
  const api = extension.isActive ? extension.exports : await extension.activate();
  const folder = workspace.workspaceFolders?.[0]?.uri;
  const selected: unknown = api?.environments?.getActiveEnvironmentPath?.(folder)?.path;
  return typeof selected === "string" ? selected : undefined;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
