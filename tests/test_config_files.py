"""Files of settings, what they extend, the torch that a project pins, and the schema for editors."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import tomli

from memlint.config import KEYS, Overrides, Settings, pins, resolve
from memlint.config.pins import limit_of
from memlint.config.schema import schema
from memlint.errors import ConfigError, UsageError
from tests.command import LEAK, Run
from tools import config_docs

ALONE = Overrides()


def settings_of(folder: Path, **files: str) -> Settings:
    for name, text in files.items():
        folder.joinpath(name).write_text(text, encoding="utf-8")
    return resolve(folder, ALONE)


def test_a_file_of_its_own_comes_before_pyproject(tmp_path: Path) -> None:
    project = {"pyproject.toml": '[tool.memlint]\nignore = ["MEM101"]\n'}
    own = {"memlint.toml": 'ignore = ["MEM102"]\n'}
    hidden = {".memlint.toml": 'ignore = ["MEM103"]\n'}
    assert settings_of(tmp_path, **project).ignore == ("MEM101",)
    (tmp_path / "a").mkdir()
    assert settings_of(tmp_path / "a", **project, **own).ignore == ("MEM102",)
    (tmp_path / "b").mkdir()
    found = settings_of(tmp_path / "b", **project, **own, **hidden)
    assert found.ignore == ("MEM103",)
    assert found.origins["ignore"] == str(tmp_path / "b" / ".memlint.toml")


def test_an_empty_file_stops_the_search(tmp_path: Path) -> None:
    settings_of(tmp_path, **{"memlint.toml": 'ignore = ["MEM101"]\n'})
    (tmp_path / "a").mkdir()
    assert settings_of(tmp_path / "a", **{"memlint.toml": ""}).ignore == ()


def test_what_is_extended_lies_below(tmp_path: Path) -> None:
    inner = tmp_path / "team" / "project"
    inner.mkdir(parents=True)
    base = 'extend = "team/other.toml"\nignore = ["MEM101"]\nadvice = true\nexclude = ["old"]\n'
    settings_of(tmp_path, **{"base.toml": base})
    settings_of(tmp_path / "team", **{"other.toml": 'extend-select = ["MEM401"]\noutput-format = "json"\n'})
    found = settings_of(
        inner, **{"memlint.toml": 'extend = "../../base.toml"\nignore = ["MEM102"]\nadvice = false\n'}
    )
    assert found.ignore == ("MEM101", "MEM102")
    assert (found.extend_select, found.output_format, found.advice) == (("MEM401",), "json", False)
    assert found.globs_root == tmp_path
    assert found.origins["ignore"] == f"{tmp_path / 'base.toml'} + {inner / 'memlint.toml'}"


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"memlint.toml": 'extend = "none.toml"'}, "there is no file .*none.toml"),
        ({"memlint.toml": 'extend = "memlint.toml"'}, "`extend` leads back to .*memlint.toml"),
        (
            {"memlint.toml": 'extend = "a.toml"', "a.toml": 'extend = "memlint.toml"'},
            "a.toml: `extend` leads back to",
        ),
        ({"memlint.toml": 'extend = "pyproject.toml"', "pyproject.toml": ""}, "has no .tool.memlint. table"),
        ({"memlint.toml": "extend = 3"}, "must be the path of a file"),
        ({"memlint.toml": 'slect = ["MEM1"]'}, "memlint.toml: unknown key `slect`"),
    ],
)
def test_what_cannot_be_extended(tmp_path: Path, files: dict[str, str], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        settings_of(tmp_path, **files)


def test_one_setting_on_the_command_line_extends_nothing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="only a file can extend another one"):
        resolve(tmp_path, Overrides(config=('extend = "a.toml"',)))


PINS = {
    "uv.lock": ('[[package]]\nname = "torch"\nversion = "2.5.1+cpu"\n', (2, 5, 1)),
    "poetry.lock": (
        '[[package]]\nname = "numpy"\nversion = "2.0"\n[[package]]\nname = "torch"\nversion = "2.1.0"\n',
        (2, 1, 0),
    ),
    "pylock.toml": ('[[packages]]\nname = "torch"\nversion = "2.6.0"\n', (2, 6, 0)),
    "Pipfile.lock": ('{"default": {"torch": {"version": "==1.13.1"}}}', (1, 13, 1)),
    "requirements.txt": ("numpy==2.0\ntorch==2.3.1+cu121 ; python_version > '3.9'\n", (2, 3, 1)),
    "requirements-gpu.txt": ("torch[opt-einsum] == 2.4.0rc1  # why\n", (2, 4, 0)),
    "environment.yml": ("dependencies:\n  - pytorch::pytorch=2.2\n  - pip\n", (2, 2)),
    "environment.yaml": ("dependencies:\n  - pip:\n    - torch==1.12.0\n", (1, 12, 0)),
    "pyproject.toml": ('[project]\nname = "a"\ndependencies = ["torch==2.7"]\n', (2, 7)),
}


@pytest.mark.parametrize("name", PINS)
def test_the_torch_that_a_project_pins(tmp_path: Path, name: str) -> None:
    text, version = PINS[name]
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / name).write_text(text, encoding="utf-8")
    found = resolve(tmp_path / "src", ALONE)
    assert found.torch_version == version
    line = next(n for n, line in enumerate(text.splitlines(), 1) if "torch" in line)
    assert found.origins["torch-version"] == f"{tmp_path / name}:{line}"
    said = resolve(tmp_path / "src", Overrides(config=('torch-version = "1.9"',)))
    assert said.torch_version == (1, 9)
    assert resolve(tmp_path / "src", Overrides(isolated=True)).torch_version is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("requirements.txt", "torch>=2.0\ntorchvision==0.15\n# torch==1.0\ntorch-scatter==2.1\n"),
        ("requirements.txt", "torch==2.*\n"),
        ("uv.lock", "broken [[\n"),
        ("Pipfile.lock", "[]"),
        ("pyproject.toml", '[tool.poetry.dependencies]\ntorch = "^2.1"\n'),
        ("pyproject.toml", '[project]\nname = "a"\ndependencies = ["torch>=2.1,<3"]\n'),
    ],
)
def test_a_bound_is_no_version(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert resolve(tmp_path, ALONE).torch_version is None


LIMITS = [
    (
        "setup.py",
        'setup(install_requires=["tensorflow>=1.3,<2"], keywords=["tensorflow"])\n',
        "tensorflow",
        (2,),
    ),
    ("setup.py", 'setup(install_requires=["tensorflow-gpu==1.13.2"])\n', "tensorflow", (1, 13, 2, 1)),
    ("setup.cfg", "[options]\ninstall_requires =\n    tensorflow (<2,>=1)\n", "tensorflow", (2,)),
    ("run_requirements.txt", "pytorch-lightning>=1.6.0,<1.7\n", "lightning", (1, 7)),
    ("requirements.txt", "tensorflow==1.15\ntensorflow-gpu\n", "tensorflow", None),
    ("requirements.txt", "torch<=2.3  # not 2.4\n", "torch", (2, 3, 1)),
    ("requirements.txt", "torch!=2.1\ntorchvision<1\ntorch-scatter==1\n", "torch", None),
    ("requirements.txt", "torch<2 ; python_version<'3.8'\ntorch>=2 ; python_version>='3.8'\n", "torch", None),
    ("environment.yml", "dependencies:\n  - tensorflow=1.14\n", "tensorflow", (1, 15)),
    ("pyproject.toml", '[tool.poetry.dependencies]\ntensorflow = "^1.13"\n', "tensorflow", (2,)),
    ("pyproject.toml", '[project]\ndependencies = ["torch~=2.1.0", "tensorflow==1.*"]\n', "tensorflow", (2,)),
    ("pyproject.toml", '[tool.poetry.dependencies]\ntensorflow = {version = "~1.9"}\n', "tensorflow", (2,)),
    ("pyproject.toml", 'tensorflow = { extras = ["all"], version="^1.9" }\n', "tensorflow", (2,)),
    ("PKG-INFO", "Requires-Dist: tensorflow (<2,>=1.13)\n\nNeeds tensorflow==3\n", "tensorflow", (2,)),
    ("a-1.0.dist-info/METADATA", "Requires-Dist: tensorflow-gpu<2\n", "tensorflow", (2,)),
    ("a-1.0.dist-info/METADATA", "Name: a\n\n    pip install tensorflow==1.15\n", "tensorflow", None),
]


@pytest.mark.parametrize(("name", "text", "package", "limit"), LIMITS)
def test_the_end_that_requirements_set(
    tmp_path: Path, name: str, text: str, package: str, limit: tuple[int, ...] | None
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert limit_of(tmp_path / "src", package) == limit


def test_installed_packages_set_no_end_for_each_other(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    for name in ("a", "b"):
        (tmp_path / f"{name}-1.0.dist-info").mkdir()
        (tmp_path / f"{name}-1.0.dist-info" / "METADATA").write_text(
            "Requires-Dist: tensorflow<2\n" if name == "a" else "Name: b\n", encoding="utf-8"
        )
    assert limit_of(tmp_path, "tensorflow") is None


OLD_NAMES = """
import tensorflow as tf
import pytorch_lightning as pl


class Net(pl.LightningModule):
    def training_epoch_end(self, outputs):
        print(len(outputs))


def run(x):
    with tf.Session() as session:
        return session.run(x)
"""


@pytest.mark.parametrize(
    ("required", "codes"),
    [
        ("", {"MEM907", "MTF101"}),
        ("tensorflow>=1.4\npytorch-lightning>=1.6\n", {"MEM907", "MTF101"}),
        ("tensorflow<2.0\npytorch-lightning>=1.6\n", {"MEM907"}),
        ("tensorflow<2.1\npytorch-lightning<2\n", {"MTF101"}),
        ("tensorflow==1.15\nlightning~=1.9.0\n", set()),
    ],
)
def test_names_that_are_right_in_what_a_project_requires(
    run: Run, tmp_path: Path, required: str, codes: set[str]
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "old.py").write_text(OLD_NAMES, encoding="utf-8")
    (tmp_path / "requirements.txt").write_text(required, encoding="utf-8")
    found = json.loads(run("check", "old.py", "--isolated", "--output-format", "json").out)["findings"]
    assert {finding["code"] for finding in found} == codes


def test_another_repository_above_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("torch==1.0\n", encoding="utf-8")
    (tmp_path / "mine" / ".git").mkdir(parents=True)
    assert resolve(tmp_path / "mine", ALONE).torch_version is None


def test_a_fix_that_needs_a_newer_torch_is_safe_where_that_is_pinned(run: Run, tmp_path: Path) -> None:
    script = LEAK.replace("    loss = model", "    with torch.cuda.amp.autocast():\n        loss = model")
    (tmp_path / "train.py").write_text(script, encoding="utf-8")
    (tmp_path / ".git").mkdir()

    def fix() -> str:
        document = json.loads(run("check", "train.py", "--select", "MEM903", "--output-format", "json").out)
        (finding,) = document["findings"]
        return str(finding["fix"]["applicability"])

    assert fix() == "unsafe"
    (tmp_path / "requirements.txt").write_text("torch==2.5.1\n", encoding="utf-8")
    pins.forget()
    assert fix() == "safe"


# --- schema and page


def test_the_schema_knows_every_setting_and_its_values(run: Run) -> None:
    known = json.loads(run("config", "--schema").out)
    assert known == schema()
    jsonschema.Draft7Validator.check_schema(known)
    assert list(known["properties"]) == list(KEYS)
    for name, key in KEYS.items():
        jsonschema.validate(tomli.loads(f"{name} = {key.example}"), known)
        key.parse(tomli.loads(f"value = {key.example}")["value"])
    for wrong in ({"selct": []}, {"select": []}, {"advice": "yes"}, {"output-format": "html"}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, known)


def test_the_page_of_the_settings_is_fresh(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert config_docs.main(["--check"]) == 0
    (tmp_path / "docs").mkdir()
    assert config_docs.main(["--check"], tmp_path) == 1
    assert "run python -m tools.config_docs" in capsys.readouterr().err
    assert config_docs.main([], tmp_path) == 0
    assert config_docs.main(["--check"], tmp_path) == 0
