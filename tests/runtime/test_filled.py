"""What the script's own code says about the size of a container that grows in a replay."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import pytest

from memlint.report.session.growth_words import is_leak
from memlint.runtime.child.attribution.filled import with_limits
from memlint.runtime.child.project import Project
from memlint.session import Holder
from tests.runtime.support import needs_torch, replay, script

POOL = """
class Pool:
    def query(self, image):
        if self.count < self.size:
            self.count = self.count + 1
            self.images.append(image)
        elif random() > 0.5:
            self.images[3] = image
"""


def limited(code: str, folder: Path, monkeypatch: pytest.MonkeyPatch, what: str = "list") -> Holder:
    path = folder / "pool.py"
    path.write_text(code, encoding="utf-8")
    module = types.ModuleType("a_pool")
    module.__file__ = str(path)
    monkeypatch.setitem(sys.modules, "a_pool", module)
    holder = Holder("a.py", 1, "cpu", "model.pool.images", "", f"{what} with 5 entries", "", 5, 5)
    numbers = {holder.name: {"self.size": 50, "args.size": 70, "size": 90, "self.count": 5}}
    (found,) = with_limits((holder,), Project(f"{folder}/", str(folder)), numbers)
    return found


def limit(code: str, folder: Path, monkeypatch: pytest.MonkeyPatch, what: str = "list") -> str:
    return limited(code, folder, monkeypatch, what).bound


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (POOL, "filled where `self.count < self.size` (pool.py:4)"),
        ("if len(images) < 9 and ready:\n    images.append(x)\n", "filled where `len(images) < 9`"),
        ("images.append(x)\nif len(images) > 9:\n    del images[0]\n", "emptied where `len(images) > 9`"),
        ("images.append(x)\nwhile 9 < len(images):\n    images.pop(0)\n", "emptied where `9 < len(images)`"),
        ("images.append(x)\nif len(images) > 9:\n    images = images[-9:]\n", "emptied where"),
        # What counts the steps of a training, or is another container's length, is no limit.
        ("while step < 9:\n    images.append(x)\n    step += 1\n", ""),
        ("if step < 9:\n    images.append(x)\nstep += 1\n", ""),
        ("if len(others) < 9:\n    images.append(x)\n", ""),
        (f"{POOL}\nimages.append(1)\n", ""),
        ("images.append(x)\nif step % 9 == 0:\n    images.pop()\n", ""),
        ("if len(images) < 9:\n    def later():\n        images.append(x)\n", ""),
    ],
)  # fmt: skip
def test_a_comparison_of_its_size_limits_a_list(
    code: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert limit(code, tmp_path, monkeypatch).startswith(said)
    assert bool(limit(code, tmp_path, monkeypatch)) is bool(said)


@pytest.mark.parametrize(
    ("test", "most"),
    [
        ("len(images) < self.size", 50), ("args.size > len(images)", 70), ("len(images) <= size - 1", 90),
        ("len(images) < int(1e5)", 100_000), ("len(images) < 2 * 10", 20), ("len(images) < unknown", 0),
        ("len(images) < size / 2", 0), ("size < len(images)", 0),
    ],
)  # fmt: skip
def test_the_numbers_beside_a_container_say_when_it_is_full(
    test: str, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert limited(f"if {test}:\n    images.append(x)\n", tmp_path, monkeypatch).most == most


def test_a_container_is_full_by_what_counts_it_or_empties_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert limited(POOL, tmp_path, monkeypatch).most == 50
    emptied = "images.append(x)\nif {}:\n    images.clear()\n"
    for test, most in (("len(images) > size", 91), ("len(images) >= size", 90), ("len(images) < size", 0)):
        assert limited(emptied.format(test), tmp_path, monkeypatch).most == most


def test_a_dictionary_grows_by_its_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free = "if len(images) < 9:\n    images['a'] = x\nimages['b'] = x\n"
    assert limit(free, tmp_path, monkeypatch, "dict") == ""
    assert limit(free, tmp_path, monkeypatch) == ""
    only = "if len(images) < 9:\n    images['a'] = x\n"
    assert limit(only, tmp_path, monkeypatch, "dict") == "filled where `len(images) < 9` (pool.py:1)"


GAN = """
import torch
class Pool:
    def __init__(self, size):
        self.size, self.count, self.images = size, 0, []
    def query(self, images):
        for image in images:
            if self.count < self.size:
                self.count += 1
                self.images.append(image.data)
        return images
net, pool = torch.nn.Linear(64, 64), Pool(50)
opt = torch.optim.SGD(net.parameters(), 0.01)
for step in range(20):
    fake = net(torch.rand(1, 64) + torch.zeros(1, 64))
    pool.query([fake * 1]); opt.zero_grad(); fake.sum().backward(); opt.step()
"""


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_a_pool_that_is_not_full_yet_is_no_leak(tmp_path: Path) -> None:
    path = script(tmp_path, GAN.replace("64", "1024"))
    (leak,) = replay(path, tmp_path / "w", [], steps=20).session.leaks
    assert leak.bound == "filled where `self.count < self.size` (train.py:7)"
    assert leak.bytes_per_step == 4096
    assert not is_leak(leak)


FORKS = """
import torch, torch.multiprocessing as mp
def work():
    pass
net = torch.nn.Linear(8, 8)
if __name__ == "__main__":
    for _ in range(2):
        started = mp.get_context("fork").Process(target=work)
        started.start()
        started.join()
    for batch in torch.utils.data.DataLoader(torch.rand(8, 8), 4, num_workers=1):
        net(batch)
"""


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_processes_of_the_script_are_counted_without_those_of_loaders(tmp_path: Path) -> None:
    made = replay(script(tmp_path, FORKS), tmp_path / "w", [], steps=5).session
    assert made.original.processes == 2
