"""Five articles on saving GPU memory, claim by claim: what memlint says about each, with its advice on.

The scripts under fixtures/articles show each pattern; a row names the line, and the rules that speak there.
Findings that no row names fail the test, and so does a pattern that is not found.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from memlint import catalogue
from memlint.engine import check as engine
from memlint.finding import each

ARTICLES = Path(__file__).parent.parent / "fixtures" / "articles"
LATER = "the rule for it does not exist yet: "
TEXT = "a statement of the article's text, there is no code to look at: "


@dataclass(frozen=True, slots=True)
class Row:
    """One pattern of an article: `codes` speak on the line of `script` with `line` in it, none means silence.

    Where there is no script, `reason` says why nothing can be reported.
    """

    article: str
    pattern: str
    script: str = ""
    line: str = ""
    codes: tuple[str, ...] = ()
    reason: str = ""


ROWS = (
    Row("000", "a literal batch size", "scale_loss_torch_amp", "loader = Data", ("MEM410", "MEM413")),
    Row(
        *("000", "a loader without workers, for files that are decoded", "image_folder_autocast"),
        *("loader = DataLoader", ("MEM401", "MEM410", "MEM413")),
    ),
    Row("000", "autocast by way of torch.cuda.amp", "scale_loss_torch_amp", "amp.autocast", ("MEM903",)),
    Row("000", "scale_loss of torch's amp", "scale_loss_torch_amp", "amp.scale_loss", ("MEM901",)),
    Row("000", "float16 gradients unscaled", "image_folder_autocast", "loss.backward()", ("MEM303",)),
    Row("000", "higher memory use is better use", reason=TEXT + "occupied memory is no utilisation"),
    Row("000", "nvidia-smi as the meter of memory", reason=TEXT + "a program of the driver"),
    Row("001", "half() and SGD", "half_sgd_mixed_precision", "model.half()", ("MEM301",)),
    Row("001", "an accumulation window as it should be", "accumulation_empty_cache", "loss.backward()"),
    Row("001", "accumulation raises memory", reason=LATER + "MEM809"),
    Row("001", "the cache emptied in every window", "accumulation_empty_cache", "empty_cache()", ("MEM501",)),
    Row("001", "empty_cache imported by name", "accumulation_empty_cache", "empty_cache()", ("MEM501",)),
    Row("001", "names deleted beside it", "accumulation_empty_cache", "del outputs"),
    Row("001", "its loss read in every pass", "accumulation_empty_cache", "loss.item()", ("MEM505",)),
    Row("001", "a loss read in every step", "half_sgd_mixed_precision", "loss.item()", ("MEM505",)),
    Row("001", "DataParallel", "data_parallel_two_processes", "nn.DataParallel", ("MEM601",)),
    Row("001", "a sum of item()", "data_parallel_two_processes", "loss.item()", ("MEM505",)),
    Row(
        *("001", "batches copied from pageable memory", "data_parallel_two_processes"),
        *("loader = DataLoader", ("MEM410", "MEM413")),
    ),
    Row(
        *("001", "batch sizes of 64 and 32", "half_sgd_mixed_precision"),
        *("train_loader = DataLoader", ("MEM410", "MEM413")),
    ),
    Row("001", "zero_grad only inside of the window", "accumulation_empty_cache", "optimizer.step()"),
    Row("002", "GradScaler imported by name", "loop_without_data", "scaler = GradScaler()", ("MEM903",)),
    Row("002", "autocast imported by name", "loop_without_data", "with autocast()", ("MEM903",)),
    Row("002", "a loop that never loads its data", "loop_without_data", "model(data)", ("MEM124",)),
    Row("002", "count_parameters", "count_parameters_import", "import count_parameters", ("MEM902",)),
    Row(
        "002",
        "a function imported as a module",
        "memory_allocated_import",
        "_allocated as",
        ("MEM902",),
    ),
    Row("002", "a fraction as an optimisation", "fraction_as_saving", "memory_fraction(0.6)", ("MEM504",)),
    Row("002", "a traced step that takes tensors", "tf_custom_loop", " train_step(rows, labels)  "),
    Row("002", "a traced step that takes a number", "tf_custom_loop", "1.0 / (number", ("MTF110",)),
    Row("002", "mixed_precision.experimental", "tf_custom_loop", "import experimental", ("MTF101",)),
    Row("002", "mixed_float16 is the default", reason=TEXT + "the default is float32"),
    Row("002", "arrays into from_tensor_slices", "tf_custom_loop", "from_tensor_slices", ("MTF109",)),
    Row("002", "map one by one", "tf_custom_loop", "dataset.map(prepare)", ("MTF107",)),
    Row("002", "batch before shuffle", "tf_custom_loop", ".shuffle(1024)", ("MTF107",)),
    Row("002", "the old name of AUTOTUNE", "tf_custom_loop", "experimental.AUTOTUNE", ("MTF107",)),
    Row("002", "experimental.list_physical_devices", "tf_custom_loop", "list_physical_devices"),
    Row("002", "a name used before it is assigned", "tf_growth_and_fraction", "list_physical_devices"),
    Row("002", "growth beside virtual devices", "tf_growth_and_fraction", "memory_growth", ("MTF103",)),
    Row("002", "mem_fraction", "tf_growth_and_fraction", "mem_fraction", ("MTF102",)),
    Row("003", "loading by many threads", reason=TEXT + "workers are processes, as the text of MEM401 says"),
    Row("003", "scale, step, update, no zero_grad", "amp_without_zero_grad", "backward()", ("MEM121",)),
    Row("003", "torch.cuda.amp.GradScaler()", "amp_without_zero_grad", "GradScaler()", ("MEM903",)),
    Row("003", "torch.cuda.amp.autocast()", "amp_without_zero_grad", "autocast()", ("MEM903",)),
    Row("003", "DataParallel for many GPUs", "data_parallel_if_many", "nn.DataParallel", ("MEM601",)),
    Row("003", "to(device) that waits", "data_parallel_if_many", "train_loader = Data", ("MEM410", "MEM413")),
    Row("003", "torch.cuda.utilization", "data_parallel_if_many", "utilization()"),
    Row("003", "cudatoolkit=11.3", reason="a shell command, no Python"),
    Row("004", "the third GPU hidden by naming it", "hidden_third_gpu", "os.environ", ("MEM503",)),
    Row("004", "devices chosen after their first use", "visible_after_first_use", "os.environ", ("MEM503",)),
    Row("004", "memory of physical devices", "tf_memory_info", "get_memory_info(gpu)", ("MTF102",)),
    Row("004", "growth after the runtime has started", "tf_memory_info", "set_memory_growth", ("MTF102",)),
    Row("004", "clear_session under a policy", "tf_clear_session", "clear_session()  #! MTF105", ("MTF105",)),
    Row("004", "clear_session for GPU memory", "tf_clear_session", "clear_session()  #! MTF106", ("MTF106",)),
    Row("004", "clear_session at the end", "tf_clear_session_frees", "clear_session()", ("MTF106",)),
    Row("004", "a strategy, its batch not scaled", "tf_mirrored_literal_batch", "model.fit", ("MTF113",)),
    Row("004", "a model inside of the scope", "tf_mirrored_literal_batch", "model = "),
    Row("004", "a strategy without its scope", "tf_mirrored_outside", "model = ", ("MTF113",)),
    Row("004", "float16 by hand", "tf_floatx_float16", "set_floatx", ("MTF114",)),
    Row("004", "float16 halves memory, in torch", reason=LATER + "MEM802"),
    Row("004", "a limit called sharing", "tf_memory_sharing", "set_memory_growth", ("MTF103",)),
)
SHOWN = [row for row in ROWS if row.script]
SCRIPTS = sorted(ARTICLES.glob("*.py"))


@cache
def found(script: str) -> frozenset[tuple[int, str]]:
    """Line and code of all that is reported in a script, advice included, opportunities left out."""
    rules = catalogue.load()
    concerns = {rule.code: {variant.concern for variant in rule.variants.values()} for rule in rules}
    codes = frozenset(code for code, about in concerns.items() if about != {"opportunity"})
    text = (ARTICLES / f"{script}.py").read_text("utf-8")
    report = engine.check(text, f"{script}.py", engine.Checks(codes, codes, f"{script}.py"))
    assert not report.failed
    return frozenset((finding.span.line, finding.code) for finding in each(report.findings))


def line_of(row: Row) -> int:
    """The number of the row's line, which must be the only one like it."""
    text = (ARTICLES / f"{row.script}.py").read_text("utf-8")
    (line,) = (number for number, line in enumerate(text.splitlines(), 1) if row.line in line)
    return line


@pytest.mark.parametrize("row", SHOWN, ids=lambda row: f"{row.article}: {row.pattern}")
def test_the_pattern_is_reported_by_its_rules_and_no_other(row: Row) -> None:
    line = line_of(row)
    assert sorted(code for number, code in found(row.script) if number == line) == sorted(row.codes)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_nothing_else_is_reported(path: Path) -> None:
    rows = [row for row in SHOWN if row.script == path.stem]
    assert rows, "no row speaks of this script"
    assert found(path.stem) == {(line_of(row), code) for row in rows for code in row.codes}


def test_what_is_left_out_has_its_reason() -> None:
    codes = {rule.code for rule in catalogue.load()}
    for row in ROWS:
        assert bool(row.script) == bool(row.line) != bool(row.reason)
        if row.reason.startswith(LATER):
            assert row.reason.removeprefix(LATER) not in codes
