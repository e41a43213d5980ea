"""What a script writes is kept out of the way, read back by it, and nothing of the user's is removed."""

from __future__ import annotations

import sqlite3
import sys
from pathlib import Path

import pytest

from tests.runtime.support import measure, needs_torch, script

pytestmark = [needs_torch, pytest.mark.usefixtures("torch_once")]

WRITER = """
import glob, io, json, os, pathlib, shutil, tempfile
import numpy, torch
here = os.getcwd()
os.makedirs("out/deep", exist_ok=True)
torch.save({"w": torch.ones(3)}, "out/model.pt")
assert torch.load("out/model.pt")["w"].sum() == 3
with open("log.txt", "a") as log:
    log.write("new\\n")
assert open("log.txt").read() == "yesterday\\nnew\\n"
pathlib.Path("out/note.txt").write_text("hello")
assert pathlib.Path("out/note.txt").read_text() == "hello"
numpy.save("out/array.npy", numpy.arange(5))
numpy.arange(4.0).tofile("out/raw.bin")
assert numpy.load("out/array.npy").sum() == 10 and os.path.getsize("out/raw.bin") == 32
assert os.path.isdir("out/deep") and not os.path.exists("nothing")
assert sorted(os.listdir("out")) == ["array.npy", "deep", "model.pt", "note.txt", "raw.bin"]
assert "log.txt" in os.listdir(".") and "out" in os.listdir(".")
assert {os.path.basename(f) for f in glob.glob("*.txt")} == {"log.txt", "keep.txt"}
assert [p.name for p in sorted(pathlib.Path("out").glob("*.pt"))] == ["model.pt"]
os.replace("out/note.txt", "out/other.txt")
os.remove("out/other.txt")
shutil.rmtree("out/deep")
assert not os.path.exists("out/deep")
handle, name = tempfile.mkstemp()
os.write(handle, b"x")
os.close(handle)
os.unlink(name)
with tempfile.NamedTemporaryFile("wb", dir="out", delete=False) as part:
    part.write(b"part")
assert open(part.name, "rb").read() == b"part"
os.replace(part.name, "out/whole.bin")
with open("out/secret", "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as secret:
    secret.write("s")
assert open("out/secret").read() == "s" and os.path.getsize("out/whole.bin") == 4
import sqlite3
import sys
database = sqlite3.connect("runs.db")
assert [row[0] for row in database.execute("select loss from m")] == [0.5]
database.execute("insert into m values (0.25)")
database.commit()
again = sqlite3.connect(f"file:{here}/runs.db?mode=ro", uri=True)
assert again.execute("select count(*) from m").fetchone() == (2,)
assert sqlite3.connect(":memory:").execute("select 1").fetchone() == (1,)
try:
    sqlite3.connect("no/such/folder/runs.db")
    raise AssertionError("a database in a missing folder")
except sqlite3.OperationalError:
    pass
module = torch.jit.script(torch.nn.Linear(2, 2))
torch.jit.save(module, "a.jit")
module.save("b.jit")
assert torch.jit.load("a.jit").weight.shape == torch.jit.load("b.jit").weight.shape
torch.export.save(torch.export.export(torch.nn.Linear(2, 2), (torch.ones(1, 2),)), "c.pt2")
assert len(torch.export.load("c.pt2").state_dict) == 2
try:
    os.mkdir("there")
    raise AssertionError("mkdir of an existing folder")
except FileExistsError:
    pass
try:
    open("no/such/folder/file", "w")
    raise AssertionError("writing into a missing folder")
except FileNotFoundError:
    pass
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    (folder / "there").mkdir(parents=True)
    (folder / "log.txt").write_text("yesterday\n", encoding="utf-8")
    (folder / "keep.txt").write_text("keep", encoding="utf-8")
    with sqlite3.connect(folder / "runs.db") as database:
        database.execute("create table m (loss real)")
        database.execute("insert into m values (0.5)")
    database.close()
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_writes_are_read_back_and_leave_no_trace(home: Path, tmp_path: Path) -> None:
    path = script(home, WRITER)
    before = tree(home)
    arm = measure(path, tmp_path / "w")
    assert arm.failure is None, arm.failure
    assert tree(home) == before
    assert not (home / "out").exists()
    assert {"out/model.pt", "log.txt", "out/array.npy", "runs.db", "a.jit", "c.pt2"} <= set(arm.written)
    assert arm.refused == ()
    assert not any("sqlite3" in note for note in arm.notes if "no/such" not in note)


MOVER = """
import multiprocessing, os, pathlib, shutil, subprocess, sys
import torch
home = os.getcwd()
def folder(_):
    return os.getcwd(), os.path.exists("made.pt"), open("../../keep.txt").read()
def main():
    pathlib.Path("runs/one").mkdir(parents=True)
    os.chdir("runs/one")
    assert os.getcwd() == str(pathlib.Path.cwd()) == os.path.abspath(".") == home + "/runs/one"
    torch.save(torch.ones(2), "made.pt")
    assert torch.load("made.pt").sum() == 2 and os.listdir() == ["made.pt"] == os.listdir(".")
    assert open("../../keep.txt").read() == "keep" and os.path.isfile("../../log.txt")
    assert {"log.txt", "keep.txt", "runs"} <= set(os.listdir("../.."))
    with open("../../log.txt", "a") as log:
        log.write("new\\n")
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            assert pool.map(folder, [0]) == [(home + "/runs/one", True, "keep")], method
    try:
        os.remove("../../keep.txt")
        raise AssertionError("removed")
    except PermissionError:
        pass
    try:
        os.chdir("nowhere")
        raise AssertionError("a folder that is nowhere")
    except FileNotFoundError:
        pass
    os.chdir("../..")
    assert os.getcwd() == home and open("log.txt").read() == "yesterday\\nnew\\n"
    os.chdir("there")
    assert os.getcwd() == home + "/there" and os.listdir("../runs/one") == ["made.pt"]
    shutil.rmtree("../runs")
if __name__ == "__main__":
    main()
"""


def test_a_script_may_go_into_a_folder_that_it_made(home: Path, tmp_path: Path) -> None:
    path = script(home, MOVER)
    before = tree(home)
    arm = measure(path, tmp_path / "w")
    assert arm.failure is None, arm.failure
    assert tree(home) == before
    assert {"runs/one", "runs/one/made.pt", "log.txt"} <= set(arm.written)


LINKER = """
import bz2, lzma, os, shutil, tarfile, torch
torch.save(torch.ones(2), "new.pt")
os.makedirs("deep/er")
os.symlink("new.pt", "latest.pt")
os.symlink(os.path.abspath("new.pt"), "whole.pt")
os.symlink(os.path.abspath("deep"), "to_deep")
os.link("new.pt", "hard.pt")
assert all(torch.load(name).sum() == 2 for name in ("latest.pt", "whole.pt", "hard.pt"))
open("to_deep/note.txt", "w").write("x")
assert open("deep/note.txt").read() == "x"
for name in ("hard", "soft"):
    getattr(os, {"soft": "symlink", "hard": "link"}[name])(os.path.abspath("keep.txt"), name)
    with open(name, "a") as file:
        file.write("more")
    assert open(name).read() == "keepmore"
os.symlink("keep.txt", "near")
os.symlink("there", "near_there")
assert open("near").read() == "keepmore" and os.path.isfile("near_there/old.txt")
os.symlink("log.txt", "to_log")
assert open("to_log").read() == "yesterday\\n"
with open("to_log", "a") as file:
    file.write("new\\n")
assert open("log.txt").read() == "yesterday\\nnew\\n"
os.symlink(os.getcwd() + "/there", "to_there")
with open("to_there/new.txt", "w") as file:
    file.write("y")
try:
    os.link("keep.txt", "log.txt")
    raise AssertionError("linked over a file")
except FileExistsError:
    pass
assert os.path.islink("soft") and os.stat("soft").st_size == 8
shutil.copy2("new.pt", "copy.pt")
shutil.copytree("deep", "copied")
shutil.move("copied", "moved")
assert shutil.disk_usage("deep/er").total
assert os.statvfs("deep").f_namemax == os.pathconf("deep", "PC_NAME_MAX")
os.chmod("new.pt", 0o600)
for opener in (bz2.open, lzma.open, tarfile.bltn_open):
    opener("deep/packed", "wb").close()
assert os.path.isfile("deep/packed") and opener("deep/packed", "rb").read() == b""
os.chmod("keep.txt", 0o400)
assert os.stat("keep.txt").st_mode & 0o777 == 0o400
os.chown("copy.pt", os.getuid(), os.getgid())
os.mkfifo("pipe")
assert [sorted(names) for _, _, names in os.walk("moved")] == [["note.txt"], []]
"""


def test_links_lead_to_no_file_of_the_users(home: Path, tmp_path: Path) -> None:
    (home / "there" / "old.txt").write_text("old", encoding="utf-8")
    path = script(home, LINKER)
    before = tree(home), (home / "keep.txt").stat().st_mode
    arm = measure(path, tmp_path / "w")
    assert arm.failure is None, arm.failure
    assert (tree(home), (home / "keep.txt").stat().st_mode) == before
    assert arm.refused == ()


def test_the_scratch_tree_may_lie_behind_a_link(home: Path, tmp_path: Path) -> None:
    (home / "there" / "old.txt").write_text("old", encoding="utf-8")
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    arm = measure(script(home, LINKER), tmp_path / "link" / "w")
    assert arm.failure is None, arm.failure
    assert "new.pt" in arm.written


@pytest.mark.parametrize(
    "code",
    [
        "import os; os.remove('keep.txt')",
        "import os; os.rename('keep.txt', 'gone.txt')",
        "import shutil; shutil.rmtree('there')",
        "import pathlib; pathlib.Path('keep.txt').unlink()",
        "import posix; posix.unlink('keep.txt')",
        "import _io; _io.FileIO('keep.txt', 'w')",
    ],
)
def test_nothing_of_the_users_is_removed(home: Path, tmp_path: Path, code: str) -> None:
    path = script(home, code + "\n")
    before = tree(home)
    arm = measure(path, tmp_path / "w")
    assert tree(home) == before
    assert (home / "there").is_dir()
    assert arm.failure is not None
    assert arm.failure.type == "PermissionError"
    assert len(arm.refused) == 1


def test_no_sandbox_lets_the_script_write(home: Path, tmp_path: Path) -> None:
    path = script(home, "open('mine.txt', 'w').write('x')\n")
    arm = measure(path, tmp_path / "w", contained=False)
    assert arm.failure is None
    assert (home / "mine.txt").read_text(encoding="utf-8") == "x"


WAYS_OUT = """\
import ctypes, os, socket, subprocess
libc = ctypes.CDLL(None, use_errno=True)
WRITE = os.O_WRONLY | os.O_CREAT
assert libc.open(os.fsencode(TARGET), WRITE, 0o600) == -1
assert libc.open(b"/proc/self/root" + os.fsencode(TARGET), WRITE, 0o600) == -1
code = os.memfd_create("program")
os.write(code, f"#!/bin/sh\\necho x > '{TARGET}'\\n".encode())
subprocess.run([f"/proc/{os.getpid()}/fd/{code}"], stderr=subprocess.DEVNULL, pass_fds=[code])
subprocess.run(["sh", "-c", f"echo x > '{TARGET}'"], stderr=subprocess.DEVNULL)
assert libc.ptrace(16, os.getppid(), 0, 0) == -1
assert libc.mount(b"tmpfs", os.fsencode(os.path.dirname(TARGET)), b"tmpfs", 0, None) == -1
service = socket.socket()
service.bind(("127.0.0.1", 0))
service.listen()
socket.create_connection(service.getsockname()).close()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock is of Linux")
def test_what_security_md_says_is_refused_or_named(home: Path, tmp_path: Path) -> None:
    outside = Path(home, "out.txt")
    arm = measure(script(home, f"TARGET = {str(outside)!r}\n{WAYS_OUT}"), tmp_path / "w")
    if any("not contained: " in note and "Landlock" in note for note in arm.notes):
        pytest.skip("no Landlock")
    assert arm.failure is None
    assert not outside.exists()
    said = " ".join(arm.notes)
    assert "sh -c" in said
    assert "/fd/" in said
    assert "not contained: socket.connect ('127.0.0.1'" in said


RING = """\
import ctypes, mmap, os, struct
libc = ctypes.CDLL(None, use_errno=True)
laid = ctypes.create_string_buffer(120)
ring = libc.syscall(425, 2, laid)
if ring == -1:
    raise SystemExit("no io_uring")
head, tail, mask, _, _, _, slots = struct.unpack_from("<7I", laid, 40)
done, _, last, _, _, results = struct.unpack_from("<6I", laid, 80)
queue = mmap.mmap(ring, max(results + 64, slots + 8), flags=mmap.MAP_SHARED)
entries = mmap.mmap(ring, 128, flags=mmap.MAP_SHARED, offset=0x10000000)

def submit(operation, name, mode, flags):
    at, = struct.unpack_from("<I", queue, tail)
    slot = at & struct.unpack_from("<I", queue, mask)[0]
    place = ctypes.create_string_buffer(name)
    entry = operation, 0, 0, -100, 0, ctypes.addressof(place), mode, flags, 0
    struct.pack_into("<BBHiQQIIQ", entries, slot * 64, *entry)
    struct.pack_into("<I", queue, slots + 4 * slot, slot)
    struct.pack_into("<I", queue, tail, at + 1)
    assert libc.syscall(426, ring, 1, 1, 1, None, 0) == 1
    at, = struct.unpack_from("<I", queue, done)
    struct.pack_into("<I", queue, done, at + 1)
    slot = at & struct.unpack_from("<I", queue, last)[0]
    return struct.unpack_from("<QiI", queue, results + 16 * slot)[1]

OPENAT, UNLINKAT, MKDIRAT = 18, 36, 37
raise SystemExit(str([
    submit(OPENAT, b"keep.txt", 0, os.O_RDONLY) > 0,
    submit(OPENAT, b"new.txt", 0o600, os.O_WRONLY | os.O_CREAT),
    submit(OPENAT, b"keep.txt", 0, os.O_WRONLY | os.O_TRUNC),
    submit(MKDIRAT, b"made", 0o700, 0),
    submit(UNLINKAT, b"keep.txt", 0, 0),
]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="io_uring is of Linux")
def test_what_goes_through_a_ring_of_the_kernel_is_refused(home: Path, tmp_path: Path) -> None:
    path = script(home, RING)
    before = tree(home)
    arm = measure(path, tmp_path / "w")
    if any("not contained: " in note and "Landlock" in note for note in arm.notes):
        pytest.skip("no Landlock")
    assert arm.failure is not None
    if arm.failure.message == "no io_uring":
        pytest.skip("this kernel allows no io_uring")
    assert arm.failure.message == "[True, -13, -13, -13, -13]"
    assert tree(home) == before
