"""The session file and its renderings: what is written is read back, and shown without surprises."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest

import memlint.report
from memlint.errors import SourceError
from memlint.report.session import html, report, speedscope, text
from memlint.report.session.modules import nodes
from memlint.report.summary import RenderOptions
from memlint.session import (
    KINDS,
    PHASES,
    SIMULATED,
    STATUSES,
    Arm,
    Block,
    Branch,
    Environment,
    Exhausted,
    Failure,
    Growth,
    Held,
    Invented,
    Judged,
    Peak,
    Rank,
    Session,
    Simulation,
    Step,
    Verdict,
    growth_by_unit,
)
from memlint.session_file import from_json, to_json

MIB = 1 << 20


def a_session() -> Session:
    held = (
        Held("train.py", 5, "", 0, "activation", "forward", 60 * MIB, 12),
        Held("train.py", 7, "train.py", 5, "gradient", "backward", 30 * MIB, 4),
        Held("", 0, "", 0, "other", "setup", 10 * MIB, 2),
    )
    first = Arm(
        "original", "the script as it is", "tracker", "cpu", "25 optimizer steps", 4.2,
        Peak(100 * MIB, "backward", 3, 700),
        steps=tuple(Step(0.1, (40 + i) * MIB, (90 + i) * MIB, -1, -1, 10, 40 * i + 40) for i in range(25)),
        kinds={"activation": 60 * MIB, "gradient": 30 * MIB, "other": 10 * MIB},
        phases={"forward": 60 * MIB, "backward": 30 * MIB, "setup": 10 * MIB},
        lines=held,
        growth=(Growth("train.py", 9, "optimizer step", MIB, MIB, 21, 21),),
        curve=tuple((i, (40 + i // 40 + (50 if i % 40 > 20 else 0)) * MIB) for i in range(1000)),
        ribbon=((0, "setup"), (20, "forward"), (700, "backward")),
        events=1000, losses=(1.5.hex(), 1.25.hex()), outside=2 * MIB, notes=("a note",),
        written=("out.pt",), refused=("os.remove best.pt",),
    )  # fmt: skip
    fixed = replace(first, name="safe", title="all safe fixes", peak=Peak(80 * MIB, "backward", 3, 700))
    shape = {
        "code": "MEM101", "name": "loss-graph-accumulation", "severity": "error", "path": "train.py",
        "message": "`total` keeps </script><b>every</b> graph", "line": 9, "column": 5, "end_line": 9,
        "end_column": 18, "fingerprint": "f", "claim": {"type": "GROWTH", "formula": "A"}, "verdict": None,
    }  # fmt: skip
    confirmed = Verdict("confirmed", 20 * MIB, MIB, 0.2, "cpu", "every step leaves 1 MiB behind")
    refuted = Verdict("refuted", 0, None, 0.0, "cpu", "no effect: your peak is in backward()")
    return Session(
        "0.1.0", "train.py", ("--lr", "0.1"), "2026-11-21T08:00:00+00:00",
        Environment("3.11.7", "Linux", "2.13.0", "cpu", "x86_64", 2),
        {"steps": 25, "sandbox": True}, (first, fixed),
        (Judged({**shape, "code": "MEM112", "line": 5}, "safe", refuted), Judged(shape, "safe", confirmed)),
        notes=("two runs differ",),
        sources={"train.py": {"5": "    out = net(x)", "7": "    l.backward()", "9": "t += l # </script>"}},
    )  # fmt: skip


def text_of(session: Session) -> str:
    out = io.StringIO()
    report.render(session, out, RenderOptions(width=80))
    return out.getvalue()


def test_a_session_survives_its_file_and_fits_the_schema() -> None:
    document = to_json(a_session())
    schema = json.loads(Path(memlint.report.__path__[0], "session.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    names = schema["$defs"]
    assert set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(schema))) == set(names)
    assert tuple(names["kind"]["enum"]) == KINDS
    assert tuple(names["phase"]["enum"]) == PHASES
    assert tuple(names["finding"]["properties"]["verdict"]["properties"]["status"]["enum"]) == STATUSES
    plain = json.loads(json.dumps(document))
    jsonschema.validate(plain, schema)
    assert plain["findings"][1]["verdict"]["status"] == "confirmed"
    assert from_json(json.dumps(document), "s.json") == a_session()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda d: d.update(schema_version=99), "schema version 99"),
        (lambda d: d.pop("arms"), "damaged session"),
        (lambda d: d["arms"][0].update(surprise=1), "no field 'surprise'"),
        (lambda d: d["arms"][0].update(seconds="long"), "'long' is no float"),
        (lambda d: d["arms"][0].pop("peak"), "Arm lacks its field 'peak'"),
        (lambda d: d.update(arms=[]), "damaged session: it holds no run"),
        (lambda d: d.update(notes="none"), "'none' is no list"),
        (lambda d: d.update(findings=[1]), "damaged session: 1 is no object"),
        (lambda d: d["findings"][0].pop("verdict"), "damaged session: 'verdict' is missing"),
        (lambda d: d["findings"][0].pop("message"), "damaged session: 'message' is missing"),
        (lambda d: d["findings"][0]["verdict"].update(status="sure"), "'sure' is no status"),
        (lambda d: d["findings"][0].update(secondary=[{"code": "MEM102"}]), "'path' is missing"),
        (lambda d: d["findings"][0].update(secondary=1), "1 is no list"),
        (lambda d: d["findings"][0].update(claim=["GROWTH"]), "is no object"),
        (lambda d: d["findings"][0].update(claim={"formula": "1"}), "'type' is missing"),
    ],
)
def test_a_damaged_session_is_refused_in_one_line(
    change: Callable[[dict[str, object]], object], said: str
) -> None:
    document = json.loads(json.dumps(to_json(a_session())))
    change(document)
    with pytest.raises(SourceError, match=re.escape(said)):
        from_json(json.dumps(document), "s.json")
    for content in ("", "[]", "{}", "null", "\x00"):
        with pytest.raises(SourceError, match="not a memlint session"):
            from_json(content, "s.json")


def test_secondary_places_are_shown_and_read_back() -> None:
    first, second = a_session().findings
    region = {"line": 7, "column": 5, "end_line": 7, "end_column": 9}
    other = {"code": "MEM102", "label": "`kept` <holds> it", "path": "train.py", **region}
    joined = replace(second, finding={**second.finding, "secondary": [other]})
    both = replace(a_session(), findings=(first, joined))
    assert "also train.py:7: MEM102 `kept` <holds> it" in text_of(both)
    assert re.search(r'<a href="#[^"]+">train\.py:7</a> `kept` &lt;holds&gt; it', html.render(both))
    assert from_json(json.dumps(to_json(both)), "s.json") == both


def test_the_text_report(golden: Callable[[str, str], None]) -> None:
    golden("reports/replay.txt", text_of(a_session()))


def test_several_verdicts_are_counted_first_and_one_is_not() -> None:
    assert "\n\n2 findings: 1 confirmed, 1 refuted\nconfirmed  MEM101 " in text_of(a_session())
    single = replace(a_session(), findings=a_session().findings[1:])
    assert "\n\nconfirmed  MEM101 " in text_of(single)
    assert "2 findings: 1 confirmed, 1 refuted" in html.render(a_session())


def test_the_greatest_effect_comes_first_and_errors_are_loud() -> None:
    loud = text_of(replace(a_session(), errors=("a safe fix changed what the script computes",)))
    assert loud.index("MEM101 train.py:9") < loud.index("MEM112 train.py:5")
    assert "a safe fix changed" in loud


def test_a_peak_is_told_by_its_step_or_as_before_or_behind_them() -> None:
    first = a_session().original
    for peak, said in (
        (Peak(MIB, "setup", 0, 1), "setup"),
        (Peak(MIB, "forward", 25, 1), "forward, step 25"),
        (Peak(MIB, "evaluation", 26, 1), "evaluation, after the last step"),
    ):
        session = replace(a_session(), arms=(replace(first, peak=peak),))
        assert f"peak 1 MiB of tensors\n  the peak is in {said}\n" in text_of(session)
        assert f"the peak is in {said}<" in html.render(session)


def test_a_number_stays_with_its_unit_and_a_kind_with_its_bytes() -> None:
    first = a_session().original
    kinds = {kind: (130 + 7 * number) << 10 for number, kind in enumerate(KINDS)}
    text = text_of(replace(a_session(), arms=(replace(first, kinds=kinds),)))
    for kind, count in kinds.items():
        assert f"{kind} {count >> 10} KiB (" in text
    for shown in text.splitlines():
        assert not re.match(r" *([KMG]iB|B|%)\b", shown), shown


def test_a_change_too_small_for_its_unit_is_told_in_bytes() -> None:
    first = a_session().original
    steps = tuple(replace(step, bytes=40 * MIB + 4 * at) for at, step in enumerate(first.steps))
    text = text_of(replace(a_session(), arms=(replace(first, steps=steps),)))
    assert "from 41,943,040 B to 41,943,136 B" in text


def test_what_noise_alone_changes_is_said_to_be_that() -> None:
    session = a_session()
    again = replace(session.original, name="again", peak=Peak(97 * MIB, "forward", 2, 400))
    noisy = replace(session, arms=(*session.arms, again))
    assert "(20 MiB less; without fixes, two runs differ by 3 MiB)" in " ".join(text_of(noisy).split())
    assert "differ by" not in text_of(session)


def test_growth_per_step_and_per_forward_is_not_added_up() -> None:
    rows = (
        Growth("train.py", 5, "forward at train.py:5", 4 * MIB, 4 * MIB, 9, 9),
        Growth("train.py", 9, "optimizer step at train.py:8", 1000, 1024, 21, 21),
        Growth("train.py", 7, "optimizer step at train.py:8", 24, 512, 21, 21),
    )
    assert growth_by_unit(rows) == {"optimizer step": (1024, 1536), "forward": (4 * MIB, 4 * MIB)}
    assert text.grows(rows) == "1 KiB/step"
    assert text.grows(rows[:1]) == "4 MiB/forward"
    assert text.grows(()) == ""


def test_a_simulated_session_says_so_everywhere() -> None:
    made_up = tuple(Invented("train.py", 9, f"value <{n}>", 20 - n) for n in range(10))
    how_far = Simulation("one GPU", ("tensors",), ("workspaces of <cuDNN>",), made_up)
    arms = tuple(
        replace(
            arm,
            device=SIMULATED,
            probe="simulate",
            simulation=how_far,
            cuda={"allocated_peak": 7, "reserved_peak": 9},
        )
        for arm in a_session().arms
    )
    judged = tuple(
        replace(row, verdict=replace(row.verdict, device=SIMULATED)) for row in a_session().findings
    )
    session = replace(a_session(), arms=arms, findings=judged, options={"device_memory": 24 << 30})
    document = json.loads(json.dumps(to_json(session)))
    schema = json.loads(Path(memlint.report.__path__[0], "session.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)
    assert from_json(json.dumps(document), "s.json") == session
    text = text_of(session)
    assert "fits: simulated peak 7 B allocated, 9 B reserved of 24 GiB\n" in text
    said = "simulated: bytes are predicted, nothing ran on a GPU; 155 values had to be invented; limits: "
    assert f"{said}docs/simulation.md" in " ".join(text.split())
    assert "confirmed  MEM101 train.py:9  simulated 1 MiB/step\n" in text
    assert "what filled the simulated peak of tensors, 100 MiB" in text
    assert "torch's allocator (simulated), at its own peaks: 7 B allocated, 9 B reserved" in text
    assert "\nnot in the numbers: workspaces of <cuDNN>\n" in text
    assert "modelled" not in text
    assert "       23 ×  on 2 more lines" in text
    page = html.render(session)
    assert page.count("</span> (simulated)") == len(judged)
    assert re.search(r">not in the numbers</td><td [^>]+>workspaces of &lt;cuDNN&gt;</td>", page)
    assert "155 invented values" in page
    assert "value &lt;9&gt;" in page


def test_what_cudas_allocator_said_and_what_ran_out_is_shown() -> None:
    first = a_session().arms[0]
    then = Exhausted("train.py", 5, 4, 2, 90 * MIB, {"activation": 90 * MIB}, first.lines)
    told = {"allocated_peak": 110 * MIB, "reserved_peak": 128 * MIB, "rounding": MIB, "retries": 1}
    counted = {**told, "out_of_memory": 2, "process_now": 600 * MIB, "reserved_now": 128 * MIB}
    blocks = (Block("train.py", 7, 80 * MIB, 9), Block("", 0, 30 * MIB, 3))
    there = replace(first, device="cuda:0", cuda=counted, blocks=blocks, exhausted=then, outside=10 * MIB)
    session = replace(a_session(), arms=(there,))
    assert from_json(json.dumps(to_json(session)), "s.json") == session
    for shown in (" ".join(text_of(session).split()), html.render(session)):
        assert "110 MiB allocated, 128 MiB reserved" in shown
        assert "10 MiB more than tensors: 1 MiB rounding to blocks of 512 B, 9 MiB workspaces" in shown
        assert "1 allocations succeeded only after the cache was emptied, 2 failed" in shown
        assert "held 600 MiB at the end: 472 MiB of it outside the allocator" in shown
        assert "80 MiB 9 blocks" in " ".join(shown.split())
        assert (
            "out of memory at train.py:5 in step 4 (the last of 2 times): 90 MiB alive; the script went on"
            in shown
        )


def test_memory_that_ran_out_at_the_peak_is_listed_once() -> None:
    first = a_session().arms[0]
    then = Exhausted("train.py", 5, len(first.steps) + 1, 1, first.peak.bytes, first.kinds, first.lines)
    failure = Failure("OutOfMemoryError", "no more", "train.py", 5, True)
    last = replace(first.peak, phase="forward", step=len(first.steps) + 1)
    there = replace(first, exhausted=then, failure=failure, peak=last)
    said = " ".join(text_of(replace(a_session(), arms=(there,))).split())
    assert f"out of memory at train.py:5 in step {last.step}: 100 MiB alive, the peak" in said
    assert f"in forward, step {last.step}, which it did not finish" in said
    assert said.count("by kind") == 1


@pytest.mark.parametrize(
    ("message", "shown"),
    [("no data", "no data"), ("bad\nTraceback ...", "bad ..."), ("x" * 250, "x" * 200 + " ..."), ("", "")],
)
def test_of_a_failure_the_first_line_is_shown(message: str, shown: str) -> None:
    failure = Failure("ValueError", message, "train.py", 5, False)
    assert text.headline(failure) == shown


def test_a_failure_outside_of_the_project_is_given_no_place() -> None:
    failure = Failure("ImportError", "no module named x", "", 0, False)
    there = replace(a_session(), arms=(replace(a_session().arms[0], failure=failure),))
    assert "the script failed: ImportError: no module named x" in text_of(there)
    assert '<p class="error">ImportError: no module named x</p>' in html.render(there)


def test_few_steps_are_not_said_to_show_no_growth() -> None:
    first = a_session().arms[0]
    short = replace(a_session(), arms=(replace(first, growth=(), steps=first.steps[:1]),))
    page = html.render(short)
    assert '<p class="grows">what grows is not known: 1 step of at least 7</p>' in page
    assert "what grows is not known: 1 step of at least 7" in text_of(short)
    assert "<summary>1 step, one by one</summary>" in page


def test_an_empty_session_is_shown_too() -> None:
    bare = Arm("original", "", "tracker", "cpu", "the script ended", 0.1, Peak(0, "setup", 0, 0))
    empty = replace(a_session(), arms=(bare,), findings=(), sources={})
    assert "no findings to judge" in text_of(empty)
    assert "<h2>Bytes alive</h2>" not in html.render(empty)


def test_a_device_that_is_not_measured_has_no_peak() -> None:
    bare = Arm("original", "", "tracker", "mps:0", "the script ended", 0.1, Peak(0, "setup", 0, 0))
    there = replace(a_session(), arms=(bare,))
    for shown in (text_of(there), html.render(there)):
        assert "not measured: the script ran on mps:0" in shown
        assert "fits" not in shown.partition("<script")[0].rpartition("</style>")[2]


def test_the_page_is_one_file_that_asks_for_nothing() -> None:
    page = html.render(a_session())
    assert not re.search(r"""(src|href)=["'](?!#)|url\(|@import|https?://(?!www\.w3\.org/2000/svg)""", page)
    assert page.count("</script>") == 2
    assert "&lt;/script&gt;&lt;b&gt;every&lt;/b&gt;" in page
    data = re.search(r'id="data">(.*?)</script>', page, re.DOTALL)
    assert data is not None
    assert json.loads(data[1])["peak"] == {"event": 700, "bytes": 100 * MIB, "phase": "backward"}
    HTMLParser().feed(page)


def test_the_flame_graph_holds_every_byte_of_the_peak() -> None:
    first = a_session().original
    document = json.loads(speedscope.render(replace(a_session(), arms=(first,))))
    assert document["$schema"] == speedscope.SCHEMA
    peak, left = document["profiles"]
    frames = document["shared"]["frames"]
    assert peak["endValue"] == sum(peak["weights"]) == sum(row.bytes for row in first.lines)
    assert left["weights"] == [MIB]
    names = [[frames[number]["name"] for number in stack] for stack in peak["samples"]]
    assert ["activation", "train.py:5 out = net(x)"] in names
    assert ["gradient", "train.py:5 out = net(x)", "train.py:7 l.backward()"] in names
    assert len({json.dumps(frame) for frame in frames}) == len(frames)
    bare = replace(a_session(), arms=(replace(first, lines=(), growth=()),))
    assert json.loads(speedscope.render(bare))["profiles"] == []


def test_findings_are_read_without_hovering() -> None:
    page = html.render(a_session())
    cards = re.findall(r"<article.*?</article>", page, re.DOTALL)
    assert len(cards) == 2
    assert "1 MiB/step" in cards[0]
    assert "every step leaves 1 MiB behind" in cards[0]
    assert "t += l # &lt;/script&gt;" in cards[0]
    assert "with all safe fixes" in cards[0]


def test_the_page_names_phases_steps_and_the_lines_below_each_kind() -> None:
    page = html.render(a_session())
    assert "25 steps, one by one" in page
    assert '"ribbon":[[0,0],[20,1],[700,2]]' in page
    assert "train.py:5 out = net(x) (60.0 %)" in page
    assert "train.py:5 (by its backward) out = net(x) (30.0 %)" in page
    assert "<li>with all safe fixes: peak 80 MiB (20 MiB less)</li>" in page


def with_ranks() -> Session:
    first = a_session().original
    failure = Failure("ValueError", "no", "train.py", 3, False)
    rows = (
        Rank(0, "cpu", "25 optimizer steps", first.peak, first.steps, first.growth, first.kinds),
        Rank(1, "cpu", "the script failed", Peak(9 * MIB, "forward", 1, 3), failure=failure),
    )
    return replace(a_session(), arms=(replace(first, rank=0, ranks=rows),))


def test_every_rank_is_listed_and_the_highest_named() -> None:
    text = text_of(with_ranks())
    assert "2 ranks, the highest peak is that of rank 0" in text
    assert max(map(len, text.splitlines())) <= 80
    assert "rank 1 peak 9 MiB in forward no growth 0 steps failed: ValueError at train.py:3" in " ".join(
        text.split()
    )
    assert "all figures are those of rank 0" in text
    page = html.render(with_ranks())
    assert "<h2>Ranks</h2>" in page
    assert "0 ◀ highest" in page
    assert "failed: ValueError at train.py:3" in page
    assert "<h2>Ranks</h2>" not in html.render(a_session())
    schema = json.loads(Path(memlint.report.__path__[0], "session.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(json.loads(json.dumps(to_json(with_ranks()))), schema)
    assert from_json(json.dumps(to_json(with_ranks())), "s.json") == with_ranks()


def test_the_tree_of_modules_adds_up_from_below() -> None:
    tree = (
        Branch("Net", "Net", 0, parameters=MIB),
        Branch("h", "ModuleList", 1),
        Branch("h.0", "Block<1>", 2, parameters=2 * MIB, activations=5 * MIB),
        Branch("h.0.mlp", "Linear", 3, gradients=MIB),
        Branch("head", "Linear", 1, optimizer_state=3 * MIB),
        Branch("", "", 0, activations=7),
    )
    (net,) = nodes(tree[:-1])
    assert net.total == 12 * MIB
    assert [(node.branch.path, node.total) for node in net.below] == [("h", 8 * MIB), ("head", 3 * MIB)]
    session = replace(a_session(), arms=(replace(a_session().original, tree=tree),))
    page = html.render(session)
    assert page.count("<details open><summary><span") == 2
    assert page.count("<details><summary><span") == 1
    assert 'title="parameters 2 MiB, gradients 1 MiB, activations 5 MiB"><b>8 MiB</b>' in page
    assert "Block&lt;1&gt;" in page
    assert "<code>in no module</code>" in page
    assert "<h2>Modules</h2>" not in html.render(a_session())
    assert from_json(json.dumps(to_json(session)), "s.json") == session


def test_a_session_of_an_older_memlint_is_read_and_shown() -> None:
    document = json.loads(json.dumps(to_json(a_session())))
    del document["missing"], document["leaks"], document["environment"]["memory"]
    new = "tree lost cut_short series counts cuts schedule host_growth holders".split()
    for arm in document["arms"]:
        for field in new:
            del arm[field]
        for field in ("file", "line", "forward_file", "forward_line"):
            del arm["peak"][field]
    old = from_json(json.dumps(document), "s.json")
    assert "fits: peak 100 MiB of tensors\n  the peak is in backward, step 3\n" in text_of(old)
    assert "grows: 1 MiB/step of tensors, made at train.py:9" in text_of(old)
    assert "<h1>train.py --lr 0.1</h1>" in html.render(old)


def test_links_of_findings_lead_to_source_lines() -> None:
    page = html.render(a_session())
    targets = set(re.findall(r'id="([^"]+)"', page))
    assert set(re.findall(r'href="#([^"]+)"', page)) <= targets
    assert "t += l" not in html.render(replace(a_session(), sources={}))


def test_the_page_draws_its_timeline_in_a_browser(tmp_path: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("no chromium on this machine")
    page = tmp_path / "page.html"
    page.write_text(html.render(a_session()), encoding="utf-8")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    shot = tmp_path / "page.png"
    command = [browser, *flags, "--window-size=1100,1600", f"--screenshot={shot}", page.as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert shot.stat().st_size > 20_000
    dump = subprocess.run(
        [browser, *flags, "--dump-dom", page.as_uri()],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert '<path class="area" d="M' in dump.stdout
    assert dump.stdout.count('<rect class="p') == 3
    assert "peak with fixes 80 MiB" in dump.stdout
    assert "peak 100 MiB, backward" in dump.stdout
