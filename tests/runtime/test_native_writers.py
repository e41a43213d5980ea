"""What native code and other programs write stays out of the user's files too."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from memlint.runtime.child.containment import landlock
from memlint.runtime.child.containment.sandbox import Sandbox
from memlint.session import Arm
from tests.runtime.support import measure, needs_torch, script

pytestmark = needs_torch


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    (folder / "data.lmdb").mkdir(parents=True)
    (folder / "keep.txt").write_text("keep", encoding="utf-8")
    return folder


def contents(folder: Path) -> dict[str, str]:
    return {str(p.relative_to(folder)): p.read_text() if p.is_file() else "" for p in folder.rglob("*")}


def run(home: Path, code: str, work: Path) -> Arm:
    path = script(home, code)
    before = contents(home)
    arm = measure(path, work)
    assert contents(home) == before
    return arm


PAST_PYTHON = """
import ctypes, os, subprocess
libc = ctypes.CDLL(None, use_errno=True)
libc.fopen.restype = ctypes.c_void_p
def refused(result):
    return result in (None, -1) and ctypes.get_errno() == 13
outside = [
    refused(libc.fopen(b"keep.txt", b"w")), refused(libc.fopen(b"new.txt", b"w")),
    refused(libc.unlink(b"keep.txt")), refused(libc.rename(b"keep.txt", b"gone.txt")),
    refused(libc.mkdir(b"made", 0o777)), refused(libc.truncate(b"keep.txt", ctypes.c_long(0))),
]
assert libc.fopen(b"keep.txt", b"r")
codes = [subprocess.run(line, shell=True, stderr=subprocess.DEVNULL).returncode for line in (
    "rm -f keep.txt", "echo new > keep.txt", "mkdir made", "cat keep.txt > /dev/null",
    'echo x > "$TMPDIR/free" && rm "$TMPDIR/free"')]
raise SystemExit(f"{outside} {[bool(code) for code in codes]} {os.strerror(13)}")
"""


def guarded(arm: Arm) -> Arm:
    if any("no Landlock" in note for note in arm.notes):
        pytest.skip("this kernel has no Landlock, so that native code and other programs go free")
    return arm


def test_the_kernel_refuses_native_code_and_programs(home: Path, tmp_path: Path) -> None:
    arm = measure(script(home, PAST_PYTHON), tmp_path / "w")
    before = {"data.lmdb": "", "keep.txt": "keep", "train.py": contents(home)["train.py"]}
    assert contents(guarded(arm) and home) == before
    assert arm.failure is not None
    assert arm.failure.message == f"{[True] * 6} {[True, True, True, False, False]} Permission denied"
    programs = next(note for note in arm.notes if "unable to write outside of the scratch tree" in note)
    assert "/bin/sh" in programs
    assert any("--no-sandbox" in note for note in arm.notes)


def test_a_script_that_replaces_its_process_is_told_of(home: Path, tmp_path: Path) -> None:
    arm = run(home, "import os, sys\nos.execv(sys.executable, [sys.executable, '-c', '0'])\n", tmp_path / "w")
    assert arm.failure is not None
    assert (arm.failure.type, arm.failure.file, arm.failure.line) == ("Replaced", "train.py", 2)


def test_where_there_is_no_landlock_the_report_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    box = Sandbox("/scratch")
    box.programs["git status"] = None
    assert box.remarks(None) == ["started, unable to write outside of the scratch tree: git status"]
    monkeypatch.setattr(landlock.sys, "platform", "darwin")
    box.guard(("/scratch",))
    assert box.remarks(None) == [
        "not contained: git status",
        "writes of native code and other programs are not contained: darwin has no Landlock",
    ]


MADE_BY_A_PROGRAM = """
import os
os.system("mkdir -p runs/one")
with open("runs/one/log.txt", "w") as file:
    file.write("x")
assert os.listdir("runs/one") == ["log.txt"]
"""


def test_a_folder_that_a_program_was_to_make_is_there(home: Path, tmp_path: Path) -> None:
    path = script(home, MADE_BY_A_PROGRAM)
    arm = measure(path, tmp_path / "w")
    assert arm.failure is None, arm.failure
    assert not (home / "runs/one/log.txt").exists()
    assert any("mkdir -p runs/one" in note for note in arm.notes)


NATIVE = """
import ctypes, os
libc = ctypes.CDLL(None)
libc.fopen.restype = libc.fdopen.restype = ctypes.c_void_p
def native(path, mode):
    flags = {"r": b"r", "w": b"w", "x": b"wx", "a": b"a"}[mode]
    handle = libc.fopen(os.fsencode(path), flags)
    if not handle:
        raise OSError(path)
    libc.fputs(b"new", ctypes.c_void_p(handle))
    libc.fclose(ctypes.c_void_p(handle))
"""
SOUNDFILE = (
    NATIVE
    + """
class SoundFile:
    def __init__(self, file, mode="r", samplerate=None):
        native(file, mode)
"""
)
LMDB = (
    NATIVE
    + """
class Environment:
    def __init__(self, path, readonly=False, lock=True):
        self.readonly = readonly
        if not readonly:
            os.makedirs(path, exist_ok=True)
            native(os.path.join(path, "data.mdb"), "w")
        elif lock:
            native(os.path.join(path, "lock.mdb"), "a")
open = Environment
"""
)
WANDB = """
import os
def init(project=None, mode=None):
    return mode or os.environ["WANDB_MODE"]
"""
USER = """
import lmdb, os, soundfile, wandb
assert wandb.init(mode="online") == wandb.init("project") == "offline"
assert wandb.init(mode="disabled") == "disabled"
soundfile.SoundFile("a.wav", "w")
soundfile.SoundFile(mode="a", file="a.wav")
soundfile.SoundFile("a.wav")
assert open("a.wav").read() == "newnew"
soundfile.SoundFile("keep.txt", mode="a")
assert open("keep.txt").read() == "keepnew"
for name in ("keep.txt", "a.wav"):
    try:
        soundfile.SoundFile(name, "x")
        raise AssertionError("made though it exists")
    except OSError:
        pass
soundfile.SoundFile("b.wav", "x")
assert lmdb.open("data.lmdb").readonly and not lmdb.open("new.lmdb").readonly
assert lmdb.Environment("new.lmdb", readonly=True, lock=False).readonly
assert os.listdir("new.lmdb") == ["data.mdb"]
"""


def test_libraries_with_openers_of_their_own_write_into_the_scratch_tree(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stand-ins with the names and the signatures of the libraries, which really open in native code."""
    script(home, SOUNDFILE, "soundfile.py")
    script(home, LMDB, "lmdb.py")
    script(home, WANDB, "wandb.py")
    monkeypatch.delenv("WANDB_MODE", raising=False)
    arm = run(home, USER, tmp_path / "w")
    assert arm.failure is None, arm.failure
    assert {"a.wav", "b.wav", "keep.txt", "new.lmdb"} <= set(arm.written)


TORCH = """
import torch
with torch.profiler.profile() as profiler:
    torch.ones(3) + 1
profiler.export_chrome_trace("trace.json")
assert "traceEvents" in open("trace.json").read()
with torch.package.PackageExporter("p.pt") as exporter:
    exporter.save_text("notes", "a.txt", "hello")
assert torch.package.PackageImporter("p.pt").load_text("notes", "a.txt") == "hello"
"""
REAL = {
    "h5py": """
import h5py
with h5py.File("a.h5", "w") as file:
    file["x"] = [1.0, 2.0]
with h5py.File("a.h5", "a") as file:
    file["y"] = [3.0]
with h5py.File("a.h5") as file:
    assert sorted(file) == ["x", "y"]
""",
    "safetensors": """
import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
save_file({"a": torch.ones(3)}, "m.safetensors")
assert load_file("m.safetensors")["a"].sum() == 3
with safe_open("m.safetensors", "pt") as file:
    assert list(file.keys()) == ["a"]
""",
    "tokenizers": """
from tokenizers import Tokenizer, models
Tokenizer(models.WordLevel({"a": 0}, unk_token="a")).save("tok.json")
assert Tokenizer.from_file("tok.json").get_vocab() == {"a": 0}
""",
    "tables": """
import tables
with tables.open_file("t.h5", "w") as file:
    file.create_array("/", "a", [1, 2])
with tables.open_file("t.h5") as file:
    assert list(file.root.a) == [1, 2]
""",
    "lmdb": """
import lmdb
with lmdb.open("new.lmdb", map_size=1 << 20) as env, env.begin(write=True) as transaction:
    transaction.put(b"a", b"b")
with lmdb.open("new.lmdb", readonly=True) as env, env.begin() as transaction:
    assert transaction.get(b"a") == b"b"
""",
    "soundfile": """
import numpy, soundfile
soundfile.write("a.wav", numpy.zeros(100), 8000)
assert soundfile.read("a.wav")[1] == 8000
""",
    "cv2": """
import cv2, numpy
assert cv2.imwrite("i.png", numpy.zeros((4, 4, 3), numpy.uint8)) and cv2.imread("i.png").shape == (4, 4, 3)
""",
    "pyarrow": """
import pyarrow, pyarrow.parquet
table = pyarrow.table({"a": [1, 2]})
pyarrow.parquet.write_table(table, "a.parquet")
assert pyarrow.parquet.read_table("a.parquet").num_rows == 2
with pyarrow.OSFile("a.arrow", "wb") as sink, pyarrow.ipc.new_stream(sink, table.schema) as writer:
    writer.write_table(table)
with pyarrow.memory_map("a.arrow") as source:
    assert pyarrow.ipc.open_stream(source).read_all().num_rows == 2
""",
}


def test_torch_writes_its_traces_and_packages_into_the_scratch_tree(home: Path, tmp_path: Path) -> None:
    arm = run(home, TORCH, tmp_path / "w")
    assert arm.failure is None, arm.failure
    assert {"trace.json", "p.pt"} <= set(arm.written)


@pytest.mark.parametrize("library", REAL)
def test_libraries_as_they_are(home: Path, tmp_path: Path, library: str) -> None:
    if importlib.util.find_spec(library) is None:
        pytest.skip(f"needs {library}; its stand-in or its table entry is tested without it")
    arm = run(home, REAL[library], tmp_path / "w")
    assert arm.failure is None, arm.failure
    assert arm.written
