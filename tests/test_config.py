"""Where settings come from, which wins, and what a wrong one is told."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memlint import config
from memlint.__main__ import main
from memlint.commands.batch import checks_for
from memlint.config import Layer, Overrides, Settings, resolve
from memlint.engine.check import Checks, check
from memlint.errors import ConfigError, UsageError
from memlint.report import formats
from memlint.source.files import matches

ALONE = Overrides()


def project(folder: Path, table: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text(f"[tool.memlint]\n{table}\n", encoding="utf-8")
    return folder


def test_every_key_is_read(tmp_path: Path) -> None:
    table = """
select = ["MEM1", "eval-without-no-grad"]
extend-select = ["MEM401"]
ignore = ["MEM105"]
rule-packs = ["rule-pack"]
exclude = ["legacy"]
torch-version = "2.4"
advice = true
check-tests = true
output-format = "concise"
baseline = "known.json"
per-file-ignores = {"tests/*" = ["MEM2"]}
"""
    shutil.copytree(Path(__file__).parents[1] / "examples" / "rule-pack", tmp_path / "rule-pack")
    settings = resolve(project(tmp_path, table), ALONE)
    assert settings == Settings(
        tmp_path,
        select=("MEM1", "eval-without-no-grad"),
        extend_select=("MEM401",),
        ignore=("MEM105",),
        per_file_ignores=(("tests/*", ("MEM2",)),),
        rule_packs=(str(tmp_path / "rule-pack"),),
        exclude=("legacy",),
        torch_version=(2, 4),
        advice=True,
        check_tests=True,
        output_format="concise",
        baseline=str(tmp_path / "known.json"),
    )
    assert set(settings.origins.values()) == {str(tmp_path / "pyproject.toml")}


def test_the_nearest_table_counts_and_files_without_it_are_passed_over(tmp_path: Path) -> None:
    project(tmp_path, 'ignore = ["MEM101"]')
    inner = project(tmp_path / "a", 'ignore = ["MEM201"]')
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "pyproject.toml").write_text('[project]\nname = "x"\n', encoding="utf-8")
    assert resolve(inner, ALONE).ignore == ("MEM201",)
    assert resolve(tmp_path / "b", ALONE).ignore == ("MEM101",)
    assert resolve(tmp_path / "b", Overrides(isolated=True)).ignore == ()


def test_a_later_select_starts_afresh_and_ignores_add_up(tmp_path: Path) -> None:
    folder = project(tmp_path, 'select = ["MEM1"]\nignore = ["MEM101"]\nextend-select = ["MEM401"]')
    ignoring = resolve(folder, Overrides(options=Layer("--ignore", {"ignore": ("MEM105",)})))
    assert (ignoring.select, ignoring.ignore) == (("MEM1",), ("MEM101", "MEM105"))
    assert ignoring.origins["ignore"].endswith("pyproject.toml + --ignore")
    selecting = resolve(folder, Overrides(options=Layer("--select", {"select": ("MEM101",)})))
    assert (selecting.select, selecting.ignore) == (("MEM101",), ())
    assert selecting.extend_select == ("MEM401",)


def test_option_before_environment_before_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = project(tmp_path, 'output-format = "concise"')
    assert resolve(folder, ALONE).output_format == "concise"
    monkeypatch.setenv("MEMLINT_OUTPUT_FORMAT", "json")
    assert resolve(folder, ALONE).output_format == "json"
    inline = Overrides(config=("output-format = 'text'",))
    assert resolve(folder, inline).output_format == "text"
    option = Overrides(options=Layer("--output-format", {"output-format": "text"}))
    assert resolve(folder, option).output_format == "text"
    monkeypatch.setenv("MEMLINT_OUTPUT_FORMAT", "html")
    with pytest.raises(UsageError, match=r"MEMLINT_OUTPUT_FORMAT must be one of text, concise, json"):
        resolve(folder, ALONE)


def test_named_files_and_inline_settings(tmp_path: Path) -> None:
    folder = project(tmp_path / "project", 'ignore = ["MEM101"]')
    bare = tmp_path / "memlint.toml"
    bare.write_text('ignore = ["MEM2"]\n', encoding="utf-8")
    assert resolve(folder, Overrides(config=(str(bare),))).ignore == ("MEM2",)
    both = Overrides(config=(str(bare), "advice = true"))
    assert resolve(folder, both).advice
    assert resolve(folder, both).origins["advice"] == "--config 'advice = true'"
    on_top = Overrides(config=('select = ["MEM4"]',))
    assert resolve(folder, on_top).select == ("MEM4",)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("selct = ['MEM101']", ["unknown key `selct`", "did you mean `select`?"]),
        ("per_file_ignores = {}", ["unknown key `per_file_ignores`", "did you mean `per-file-ignores`?"]),
        ("zzz = 1", ["unknown key `zzz`", "known keys: select,"]),
        ("select = 'MEM101'", ["`select` must be a list of strings", "not a string"]),
        ("select = [1]", ["`select` must be a list of strings", "not a list of something else"]),
        ("select = []", ["`select` names no rule"]),
        ("ignore = ['MEM777']", ["`ignore`: unknown rule selector `MEM777`"]),
        ("ignore = ['los-graph-accumulation']", ["did you mean loss-graph-accumulation?"]),
        ("per-file-ignores = ['a']", ["`per-file-ignores` must be a table", "not a list"]),
        ("per-file-ignores = {a = 'MEM101'}", ["`per-file-ignores` must be a list of strings"]),
        ("exclude = true", ["`exclude` must be a list of strings", "not a boolean"]),
        ("torch-version = 2.1", ['`torch-version` must be a string such as "2.1", not a number']),
        ("torch-version = 'new'", ['`torch-version` must be a version such as "2.1", not "new"']),
        ("advice = 'yes'", ["`advice` must be true or false, not a string"]),
        ("output-format = 'html'", ["`output-format` must be one of text, concise, json,", "not 'html'"]),
        ("output-format = 1979-05-27", ["`output-format` must be one of"]),
    ],
)
def test_a_wrong_value_names_file_key_and_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str, words: list[str]
) -> None:
    folder = project(tmp_path, table)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigError) as caught:
        resolve(folder, ALONE)
    text = str(caught.value)
    assert text.startswith("pyproject.toml: ")
    assert "\n" not in text
    for word in words:
        assert word in text


def test_the_table_must_be_a_table(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool]\nmemlint = 3\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="must be a table, not a number"):
        resolve(tmp_path, ALONE)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"[tool.memlint]\nselect = [\n", r"pyproject\.toml(:\d+)?: malformed TOML"),
        (b"[tool.memlint]\nignore = MEM101\n", r"pyproject\.toml:2: malformed TOML: invalid value"),
        (b"[tool.memlint]\n# \xff\n", r"pyproject\.toml: not UTF-8"),
    ],
)
def test_malformed_toml_names_the_line(tmp_path: Path, content: bytes, words: str) -> None:
    (tmp_path / "pyproject.toml").write_bytes(content)
    with pytest.raises(ConfigError, match=words):
        resolve(tmp_path, ALONE)


@pytest.mark.parametrize(
    ("arg", "words"),
    [
        ("missing.toml", "no such file"),
        ("select = [MEM101]", "is not TOML"),
        ("slect = ['MEM101']", "did you mean `select`"),
    ],
)
def test_a_wrong_config_option(tmp_path: Path, arg: str, words: str) -> None:
    with pytest.raises((UsageError, ConfigError), match=words):
        resolve(tmp_path, Overrides(config=(arg,)))


@pytest.mark.parametrize(
    ("text", "version"), [("2", (2,)), ("2.13", (2, 13)), ("1.13.1", (1, 13, 1)), ("2.1.0+cu121", (2, 1, 0))]
)
def test_torch_versions(text: str, version: tuple[int, ...]) -> None:
    assert config.parse_version(text) == version


@pytest.mark.parametrize(
    ("path", "pattern", "expected"),
    [
        ("tests/deep/test_a.py", "tests/*", True),
        ("tests/deep/test_a.py", "tests", True),
        ("tests/deep/test_a.py", "tests/", True),
        ("tests/deep/test_a.py", "deep", True),
        ("tests/deep/test_a.py", "test_*.py", True),
        ("tests/deep/test_a.py", "**/deep/*.py", True),
        ("deep/test_a.py", "**/deep/*.py", True),
        ("tests/deep/test_a.py", "tests\\deep\\*", True),
        ("tests/deep/test_a.py", "./tests", True),
        ("src/tests_of/a.py", "tests/*", False),
        ("src/a.py", "b.py", False),
    ],
)
def test_globs(tmp_path: Path, path: str, pattern: str, expected: bool) -> None:
    assert matches(str(tmp_path / path), tmp_path, [pattern]) is expected


def test_per_file_ignores_and_what_is_always_in_force(tmp_path: Path) -> None:
    settings = Settings(tmp_path, select=("MEM101", "MEM2"), per_file_ignores=(("tests/*", ("MEM2",)),))
    assert checks_for(str(tmp_path / "a.py"), settings).codes >= {"MEM101", "MEM201", "MEM001", "MEM004"}
    assert checks_for(str(tmp_path / "tests" / "a.py"), settings).codes == {"MEM101", "MEM001", "MEM004"}
    quiet = Settings(tmp_path, select=("MEM101",), ignore=("MEM001",))
    assert checks_for(str(tmp_path / "a.py"), quiet).codes == {"MEM101", "MEM004"}


def test_advice_needs_to_be_asked_for(tmp_path: Path) -> None:
    path = str(tmp_path / "a.py")
    assert checks_for(path, Settings(tmp_path)).advice == frozenset()
    assert "MEM401" in checks_for(path, Settings(tmp_path, extend_select=("MEM401",))).advice
    for settings in (Settings(tmp_path, select=("ALL",)), Settings(tmp_path, advice=True)):
        checks = checks_for(path, settings)
        assert checks.advice == checks.codes


def test_what_is_no_matter_of_memory_or_training_needs_its_rule_to_be_named(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    script.write_text(
        "import torch\nfrom torch.utils.data import DataLoader\n"
        "from torchvision.datasets import ImageFolder\n"
        "loader = DataLoader(ImageFolder('images'), batch_size=8)\nnet = torch.nn.Linear(8, 2).cuda()\n"
        "opt = torch.optim.SGD(net.parameters(), lr=0.1)\nfor x, y in loader:  # memlint: ignore[MEM113]\n"
        "    opt.zero_grad(set_to_none=True)\n    net(x.cuda()).sum().backward()\n    opt.step()\n",
        encoding="utf-8",
    )

    def codes(**chosen: object) -> set[str]:
        checks = checks_for(str(script), Settings(tmp_path, **chosen))  # type: ignore[arg-type]
        report = check(script.read_text(encoding="utf-8"), str(script), checks)
        return {found.code for found in report.findings}

    beyond = {"MEM401", "MEM906"}
    assert not beyond & codes()
    assert not beyond & codes(advice=True)
    assert beyond <= codes(select=("ALL",))
    assert codes(select=("MEM4",)) >= {"MEM401"}
    assert codes(extend_select=("MEM401",)) & beyond == {"MEM401"}
    assert "MEM002" not in codes()
    assert "MEM002" in codes(select=("ALL",))


def test_presets_say_which_part_of_the_rules_is_meant(tmp_path: Path) -> None:
    path = str(tmp_path / "a.py")

    def checks(*select: str) -> Checks:
        return checks_for(path, Settings(tmp_path, select=select))

    assert checks("training") == checks()
    assert checks("all") == checks("ALL")
    assert checks("Training", "MEM401").named == {"MEM401"}
    errors = checks("errors")
    assert (errors.codes, errors.named) == (checks().codes, frozenset())
    assert errors.errors_only == errors.codes - {"MEM001", "MEM004"}
    assert checks("errors", "MEM101").errors_only == errors.errors_only - {"MEM101"}
    assert not checks("errors", "training").errors_only
    text = (
        "import torch\nmodel = torch.nn.Linear(4, 1)\nopt = torch.optim.SGD(model.parameters(), lr=0.1)\n"
        "total = 0\nfor step in range(9):\n    loss = model(torch.randn(8, 4)).mean()\n"
        "    loss.backward()\n    opt.step()\n    total += loss\nprint(float(total))\n"
    )
    assert [f.code for f in check(text, path, checks()).findings] == ["MEM121", "MEM101"]
    assert [f.code for f in check(text, path, errors).findings] == ["MEM121"]
    with pytest.raises(UsageError, match="did you mean errors"):
        checks("error")


def test_the_formats_of_the_settings_are_those_of_the_reports() -> None:
    for name in config.FORMATS:
        assert callable(formats.renderer(name))


def test_the_command_shows_values_and_origins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project(tmp_path, 'ignore = ["MEM101"]\nper-file-ignores = {"a\\"b/*" = ["MEM2"]}\ntorch-version = "2.4"')
    (tmp_path / "train.py").touch()
    monkeypatch.chdir(tmp_path)
    assert main(["config", "--file", "train.py", "--config", "advice = true"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "# select is not set",
        "extend-select = []  # default",
        'ignore = ["MEM101"]  # pyproject.toml',
        'per-file-ignores = {"a\\"b/*" = ["MEM2"]}  # pyproject.toml',
        "rule-packs = []  # default",
        "exclude = []  # default",
        'torch-version = "2.4"  # pyproject.toml',
        "advice = true  # --config 'advice = true'",
        "check-tests = false  # default",
        'output-format = "text"  # default',
        "# baseline is not set",
    ]
    assert main(["config", "ignore", "--isolated"]) == 0
    assert capsys.readouterr().out == "ignore = []  # default\n"
    assert main(["config", "ignroe"]) == 2
    assert "did you mean `ignore`?" in capsys.readouterr().err
    assert main(["config", "--file", "nothing.py"]) == 2
    assert "no such file" in capsys.readouterr().err


def test_what_the_command_prints_can_be_read_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project(tmp_path, 'ignore = ["MEM101"]\nexclude = ["a\\\\b"]\ntorch-version = "2.4"\nselect = ["MEM"]')
    monkeypatch.chdir(tmp_path)
    main(["config"])
    (tmp_path / "copy.toml").write_text(capsys.readouterr().out, encoding="utf-8")
    assert resolve(tmp_path, Overrides(config=("copy.toml",))) == resolve(tmp_path, ALONE)
