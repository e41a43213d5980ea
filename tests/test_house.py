"""House rules that can be counted: detectors, compared source, patterns, folders, unused names, words."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import memlint
from memlint import catalogue

PACKAGE = Path(memlint.__file__).parent
ROOT = PACKAGE.parent
DETECT = PACKAGE / "detect"
PAGE = PACKAGE.parent / "docs" / "architecture.md"

PHRASES = {
    r"\brecord(s|ed|ing)? ((a|the|its|no) )?(autograd )?graphs?\b": "builds an autograd graph",
    r"\bgraphs? (is|was|are|were|gets?) recorded\b": "the graph is built",
    r"until the last name of it": "for as long as a variable refers to it",
    r"\bbelongs? to nobody\b": "say whose they are, or that no optimizer has them",
    r"\bscale becomes others\b": "the scale changes",
    r"\bnone of our business\b": "left alone",
    r"\bopportunities \(severity advice\)": "findings of severity advice",
    r"\bhost only\b": "host RAM only",
    r"\bevery birth and death\b": "every allocation and release",
    r"\b[APN] bytes\b": "say which bytes",
    r"\bA per step\b": "all tensors that one forward pass saves",
    r"(×|\+|of|=|\bat least \d×?) e\([a-z ]+\)": "bytes of the tensor",
    r"\b[AP] \([A-Za-z]*:? ?bytes\b": "say which bytes",
    r"\bN×": "for each",
    r"\bswitch(es)? recording off\b": "turn autograd off",
    r"\bgoes on recording\b": "still builds graphs",
    r"[·×]\s?[A-Z](·[A-Z])+\b|\bT_(longest|max)\b": "say what the letters stand for",
    r"×\d+(\.\d)? (step )?time\b": "times the time per step",
    r"\bulp\b": "what float16 can tell apart",
    r"(?-i:; (PEAK|CORRECT|GROWTH|HOST|TIME)\b)": "a word of the field, not of the schema",
    r"\bbecome others\b": "change",
    r"\bfrom birth to\b|\bbirths and releases\b": "from its allocation to its release",
    r"\blets one expect\b|\bheld to equality\b": "a plain word",
    r"\b(is|are) not told from\b": "not distinguished from",
    r"\banew\b": "again",
    r"\bmend(s|ed|ing)?\b": "repair, fix",
    r"\b(tells?|told) of\b": "report",
    r"\bgraver\b": "of higher severity",
    r"\b(thereby|wherein|abroad|specimens?|happenings|cadence)\b": "a plain word",
}
"""What is not said, as a pattern, and what is said instead."""

IN_TEXTS = {
    r"(?<!-)\brebound\b|\bbound again\b|\bbinds? it again\b": "replaced, assigned again",
    r"\bbound on (every|any) way\b": "assigned on every path",
    r"\b(in|out of) view\b": "visible; that memlint cannot see",
    r"\bspeaks? of\b": "mention, suggest",
    r"\bfor the sake of\b": "because of",
    r"\bsmall change\b": "small amounts",
    r"\bworth speaking\b": "that matters",
    r"\bfor want of\b": "without",
    r"\bread off\b": "concluded from, read from",
    r"\bno means against\b": "does not help against",
    r"\bfor nobody\b": "that nothing reads",
    r"\bsays? nothing of\b": "does not mention",
}
"""What rules and pages do not say; in the code such words stand for exact things."""

SAID_AS = {"docs/glossary.md"}
"""Files that may name such words."""

LONGEST = 120
MOST_LONGER = 8
MOST_FILES = 15
MOST_EXAMPLES = 3
LONGEST_EXAMPLE = 10
"""Lines of a script besides imports and empty lines; 4 to 8 are the rule."""
OPEN_FOLDERS = ("detect/", "analysis/interpret")
"""Folders that may hold more files: a family of rules, the parts of the interpreter."""

SOURCE_COMPARED = {
    "analysis/fixes/moves.py": (1, "whether code stands on one line is a question of layout"),
    "analysis/fixes/plans.py": (1, "what is shown may be any expression, calls included"),
}
"""Where generated source is compared all the same: how often at most, and why. Nowhere in detect/."""

_STATEMENT = re.compile(r"^(?!import |from )[ ]*\S", re.MULTILINE)
_SOURCE = frozenset({"code", "short", "code_of", "code_for_node"})
_STRING_METHODS = frozenset(
    "strip lstrip rstrip lower split partition rpartition removeprefix removesuffix replace".split()
)
_ASKS = frozenset("startswith endswith isdigit isidentifier find count isdisjoint".split())
_NAMES = frozenset("last_name root_name words_of words_in place".split())
_SEARCHES = frozenset("search match fullmatch findall finditer".split())


def detectors() -> list[Path]:
    """The modules that have a `detect`."""
    return [path for path in sorted(DETECT.rglob("*.py")) if "\ndef detect(" in path.read_text("utf-8")]


def listed_as_longer() -> set[str]:
    """The files below detect/ that docs/architecture.md lists with their reason."""
    section = PAGE.read_text("utf-8").partition("\n## Longer detectors\n")[2].partition("\n## ")[0]
    return set(re.findall(r"^- `detect/([\w/]+\.py)`: \S", section, re.MULTILINE))


def test_detectors_and_their_helpers_have_at_most_120_lines() -> None:
    files = DETECT.rglob("*.py")
    lines = {str(path.relative_to(DETECT)): len(path.read_text("utf-8").splitlines()) for path in files}
    long = {name for name, number in lines.items() if number > LONGEST}
    assert long == listed_as_longer()
    assert len(long) <= MOST_LONGER


def test_every_helper_says_what_it_answers() -> None:
    silent = {
        f"{path.relative_to(DETECT)}: {node.name}"
        for path in DETECT.rglob("*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        if not node.name.startswith("_") and ast.get_docstring(node) is None
    }
    assert silent == set()


def test_detectors_do_not_import_each_other() -> None:
    modules = {f"memlint.detect.{path.parent.name}.{path.stem}" for path in detectors()}
    found = [
        (path.stem, node.module)
        for path in DETECT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module in modules
    ]
    assert found == []


def test_nothing_is_defined_that_nothing_uses() -> None:
    """What only tests call is used by nobody; entry points and rule files name theirs as text."""
    sources = [path.read_text("utf-8") for top in ("memlint", "tools") for path in (ROOT / top).rglob("*.py")]
    tables = [path.read_text("utf-8") for path in (ROOT / "pyproject.toml", *(ROOT / "rules").glob("*.toml"))]
    words = Counter(word for text in (*sources, *tables) for word in re.findall(r"\w+", text))
    unused = {
        f"{path.relative_to(ROOT)}: {node.name}"
        for path in PACKAGE.rglob("*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and words[node.name] == 1
    }
    assert unused == set()


def test_a_folder_has_at_most_15_files() -> None:
    folders = [folder for folder in (PACKAGE, *PACKAGE.rglob("*/")) if folder.name != "__pycache__"]
    names = {str(folder.relative_to(PACKAGE)): folder for folder in folders if folder.is_dir()}
    crowded = {
        name
        for name, folder in names.items()
        if not name.startswith(OPEN_FOLDERS)
        and len([path for path in folder.glob("*.py") if not path.stem.startswith("__")]) > MOST_FILES
    }
    assert crowded == set()


def test_a_rule_file_shows_few_and_short_examples() -> None:
    rules = catalogue.load()
    many = {r.code for r in rules if max(len(r.bad), len(r.good)) > MOST_EXAMPLES}
    shown = [(r.code, e) for r in rules for e in (*r.bad, *r.good)]
    long = {
        (code, example.title): lines
        for code, example in shown
        if (lines := len(_STATEMENT.findall(example.code))) > LONGEST_EXAMPLE
    }
    assert (many, long) == (set(), {}), "the others belong to tests/rules"


def test_source_is_compared_only_where_the_table_says_why() -> None:
    counted = {
        str(path.relative_to(PACKAGE)): len(set(source_comparisons(ast.parse(path.read_text("utf-8")))))
        for part in ("detect", "analysis", "syntax")
        for path in (PACKAGE / part).rglob("*.py")
    }
    allowed = {name: most for name, (most, _) in SOURCE_COMPARED.items()}
    assert {name: n for name, n in counted.items() if n > allowed.get(name, 0)} == {}
    # What has become fewer is to stay so.
    assert {name: counted.get(name, 0) for name in allowed if counted.get(name, 0) < allowed[name]} == {}


def test_no_detector_holds_a_regex_over_names_of_users() -> None:
    found = {
        str(path.relative_to(DETECT)): lines
        for path in sorted(DETECT.rglob("*.py"))
        if (lines := set(name_patterns(ast.parse(path.read_text("utf-8")))))
    }
    assert found == {}, "patterns over names belong to memlint/analysis/knowledge"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return speaks_of(a, _WORDS)", True),
        ("return _WORDS.search(last_name(a))", True),
        ("return _WORDS.match(a.name.value)", True),
        ("return re.search('model', root_name(a).lower())", True),
        ("return speaks_of(a, hints.WORDS)", False),
        ("return libraries.HOOK.match(a.name.value)", False),
        ("return _WORDS.match(model.path_of(a))", False),
    ],
)
def test_what_counts_as_a_pattern_over_names(body: str, found: bool) -> None:
    code = f"_WORDS = re.compile('model')\ndef f(model, a):\n    {body}\n"
    assert bool(set(name_patterns(ast.parse(code)))) is found


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("return model.code(a) == model.code(b)", 1),
        ("text = model.code(a)\n    return 'del tape' in text", 1),
        ("return P.search(model.code(a).strip()) is not None", 1),
        ("names = {model.code(t) for t in a}\n    return b in names", 1),
        ("return f'{model.code(a)}.x'.startswith(b)", 1),
        ("return Replace(a, model.code(b))", 0),
        ("return dotted(a) == place(b)", 0),
    ],
)
def test_what_counts_as_a_comparison(body: str, count: int) -> None:
    tree = ast.parse(f"def f(model, a, b):\n    {body}\n")
    assert len(set(source_comparisons(tree))) == count


def test_no_text_has_a_phrase_that_nobody_says() -> None:
    said = {
        str(path.relative_to(ROOT)): phrases
        for path in texts()
        if str(path.relative_to(ROOT)) not in SAID_AS
        and (phrases := found(path.read_text("utf-8"), not_said_in(path)))
    }
    assert said == {}


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("`net(x)` records\n a graph that no backward() uses", 1),
        ("The graph is recorded here.", 1),
        ("keeps A bytes, batches × e(value)", 2),
        ("1 refuted, 1 host only", 1),
        ("4·B·T·V for the copy, and\nuntil it is bound again", 2),
        ("a lambda bound in a loop, the scale, 4 × tokens", 0),
        ("it builds an autograd graph, which takes 25 MB", 0),
        ("a.step(), b.size(x), f(e(x))", 0),
    ],
)
def test_what_counts_as_such_a_phrase(text: str, number: int) -> None:
    assert len(found(text, PHRASES | IN_TEXTS)) == number


def texts() -> Iterator[Path]:
    """All that a user or a reader of the code sees; docs/rules is made from the rule files."""
    yield from ROOT.glob("*.md")
    yield from (path for path in ROOT.glob("docs/**/*.md") if path.parent.name != "rules")
    yield from ROOT.glob("rules/M*.toml")
    for ending in ("py", "js", "css", "html"):
        yield from ROOT.glob(f"memlint/**/*.{ending}")


def not_said_in(path: Path) -> dict[str, str]:
    """The phrases that do not belong in a file: more in rules and in pages for users."""
    page = path.suffix == ".md" and path.name not in ("CHANGELOG.md", "architecture.md")
    return PHRASES | IN_TEXTS if page or path.suffix == ".toml" else PHRASES


def found(text: str, phrases: Mapping[str, str]) -> list[tuple[str, str]]:
    """The phrases in a text, each with what to say instead; they may go over the end of a line."""
    plain = re.sub(r"\s+", " ", text)
    return [
        (match[0], instead)
        for pattern, instead in phrases.items()
        for match in re.finditer(pattern, plain, re.IGNORECASE)
    ]


def name_patterns(tree: ast.Module) -> Iterator[int]:
    """The lines that hold a pattern of the module's own against names that a user chose, or words of code."""
    own = {"re"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("re.compile("):
            own |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    for node in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        func = node.func
        if isinstance(func, ast.Name) and func.id == "speaks_of":
            if any(isinstance(arg, ast.Name) and arg.id in own for arg in node.args[1:]):
                yield node.lineno
        elif isinstance(func, ast.Attribute) and func.attr in _SEARCHES and isinstance(func.value, ast.Name):
            parts = (part for arg in node.args for part in ast.walk(arg))
            if func.value.id in own and any(map(_is_users_name, parts)):
                yield node.lineno


def _is_users_name(node: ast.AST) -> bool:
    """Whether an expression gives a name as it stands in the script: `last_name(x)`, `x.name.value`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id in _NAMES
    inner = node.value if isinstance(node, ast.Attribute) and node.attr == "value" else None
    return isinstance(inner, ast.Attribute) and inner.attr in ("name", "attr")


def source_comparisons(tree: ast.Module) -> Iterator[int]:
    """The lines that compare, search or ask about generated source, or names that hold it."""
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        held = _held(function)
        for node in ast.walk(function):
            if isinstance(node, ast.Compare) and not isinstance(node.ops[0], (ast.Is, ast.IsNot)):
                if any(_is_source(side, held) for side in (node.left, *node.comparators)):
                    yield node.lineno
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                asks = node.func.attr in _ASKS and _is_source(node.func.value, held)
                searches = node.func.attr in _SEARCHES and any(_is_source(arg, held) for arg in node.args)
                if asks or searches:
                    yield node.lineno


def _held(function: ast.FunctionDef) -> set[str]:
    """The names of a function that hold generated source, also in containers and through one another."""
    held: set[str] = set()
    for _ in range(3):
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and _is_source(node.value, held):
                held |= {target.id for target in node.targets if isinstance(target, ast.Name)}
            elif isinstance(node, (ast.NamedExpr, ast.AnnAssign)) and isinstance(node.target, ast.Name):
                held |= {node.target.id} if node.value is not None and _is_source(node.value, held) else set()
            elif isinstance(node, (ast.comprehension, ast.For)) and isinstance(node.target, ast.Name):
                held |= {node.target.id} if _is_source(node.iter, held) else set()
    return held


def _is_source(node: ast.expr, held: set[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in held
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in _SOURCE and node.args:
            return True
        if name in _STRING_METHODS and isinstance(node.func, ast.Attribute):
            return _is_source(node.func.value, held)
        wraps = name in ("set", "frozenset", "sorted", "list", "tuple", "join")
        return wraps and any(_is_source(arg, held) for arg in node.args)
    if isinstance(node, (ast.SetComp, ast.ListComp, ast.GeneratorExp)):
        return _is_source(node.elt, held)
    parts: list[ast.expr] = []
    if isinstance(node, (ast.Tuple, ast.Set, ast.List)):
        parts = node.elts
    elif isinstance(node, (ast.Subscript, ast.NamedExpr, ast.FormattedValue)):
        parts = [node.value]
    elif isinstance(node, ast.IfExp):
        parts = [node.body, node.orelse]
    elif isinstance(node, (ast.JoinedStr, ast.BoolOp)):
        parts = node.values
    elif isinstance(node, ast.BinOp):
        parts = [node.left, node.right]
    return any(_is_source(part, held) for part in parts)
