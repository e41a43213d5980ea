"""Environments with the libraries of their day, over the torch of the interpreter that asks for them."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".benchmarks" / "published"
_DONE = "memlint-packages.txt"


def python(name: str, packages: tuple[str, ...], folder: Path = FOLDER) -> Path:
    """The interpreter of an environment, which is made first where it is missing or has other packages.

    Packages are installed without what they depend on: each is listed with its version. An environment whose
    list holds torch uses that one, any other the torch of this interpreter; without packages, it is this one.

    Raises:
        RuntimeError: pip could not install them; the message is what it said.
    """
    if not packages:
        return Path(sys.executable)
    place = folder / name
    done = place / _DONE
    text = "\n".join(packages) + "\n"
    found = place / "bin" / "python"
    if done.exists() and done.read_text(encoding="utf-8") == text:
        return found
    venv.create(place, clear=True, with_pip=True)
    library = next((place / "lib").glob("python*")) / "site-packages"
    paths = [path for path in sys.path if "site-packages" in path]
    (library / "memlint.pth").write_text("\n".join([str(ROOT), *paths]) + "\n", encoding="utf-8")
    line = [str(found), "-m", "pip", "install", "-q", "--no-deps", *packages]
    run = subprocess.run(line, capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(f"pip cannot install the packages of {name}: {run.stderr.strip()[-400:]}")
    done.write_text(text, encoding="utf-8")
    return found
