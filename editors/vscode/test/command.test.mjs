import assert from "node:assert/strict";
import { test } from "node:test";
import { serverCommand } from "../out/command.js";

const nowhere = () => false;

test("the user's setting wins", () => {
  assert.deepEqual(serverCommand(["uvx", "memlint", "server"], "/env/bin/python", () => true), ["uvx", "memlint", "server"]);
});

test("the environment of the workspace comes before the path", () => {
  const there = (file) => file === "/env/bin/memlint";
  assert.deepEqual(serverCommand([], "/env/bin/python", there, "linux"), ["/env/bin/memlint", "server"]);
  assert.deepEqual(serverCommand([], "/env/bin/python", nowhere, "linux"), ["memlint", "server"]);
  assert.deepEqual(serverCommand([], undefined, () => true, "linux"), ["memlint", "server"]);
});

test("on Windows programs have an ending", () => {
  const there = (file) => file === "C:\\env\\Scripts\\memlint.exe";
  assert.deepEqual(serverCommand([], "C:\\env\\Scripts\\python.exe", there, "win32"), ["C:\\env\\Scripts\\memlint.exe", "server"]);
});
