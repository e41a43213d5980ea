"""What is looked for in one file: which rules are in force, and what is known of the project."""

from __future__ import annotations

from dataclasses import replace

from memlint import packs
from memlint.catalogue import META, Rule, Variant, version_fits
from memlint.finding import Severity
from memlint.records import dataclass


@dataclass(frozen=True, slots=True)
class Checks:
    """What to look for in one file.

    `codes` are the rules in force, `advice` those of them whose advice is wanted, `named` those of which
    findings outside of the default set are wanted (None: of all), `errors_only` those of which nothing else
    is; `identity` is the path that fingerprints are made of, relative to the project.
    `root` is the folder below which imports are followed into other files; None keeps to the one file.
    Without `check_tests`, a file that is a test reports only what breaks it (`project/tests.py`); with
    `test_functions`, what the functions of unit tests waste counts as it does elsewhere.
    `torch_version` is None when unknown, `torch_origin` where it is written. `packs` are the rule packs in
    force, `pinned` the packages that their rules depend on: name, version and origin. `limits` are the first
    versions of packages that the files of the project leave no room for.
    """

    codes: frozenset[str]
    advice: frozenset[str]
    identity: str
    torch_version: tuple[int, ...] | None = None
    root: str | None = None
    check_tests: bool = True
    named: frozenset[str] | None = None
    errors_only: frozenset[str] = frozenset()
    torch_origin: str = ""
    packs: tuple[str, ...] = ()
    pinned: tuple[tuple[str, tuple[int, ...], str], ...] = ()
    limits: tuple[tuple[str, tuple[int, ...]], ...] = ()
    test_functions: bool = False

    def version_of(self, package: str) -> tuple[tuple[int, ...] | None, str]:
        """The version that the project has of a package, None where it is unknown, and where it was read."""
        if package == "torch":
            return self.torch_version, self.torch_origin
        found = ((version, origin) for name, version, origin in self.pinned if name == package)
        return next(found, (None, ""))

    def rules_out(self, package: str, needed: str) -> bool:
        """Whether the project can have none of the versions of a package that are needed, as ">=2.0"."""
        limit = next((limit for name, limit in self.limits if name == package), None)
        starts = (part.strip().lstrip(">= ") for part in needed.split(",") if part.strip().startswith(">"))
        # Every version that is needed lies above the end where the first one does not lie below it.
        return limit is not None and any(
            not version_fits(tuple(map(int, start.split("."))), f"<{'.'.join(map(str, limit))}")
            for start in starts
        )

    def wants(self, rule: Rule, variant: Variant) -> bool:
        """Whether what a rule says in one of its variants is to be reported."""
        return (
            rule.code in self.codes
            and (variant.severity is not Severity.ADVICE or rule.code in self.advice)
            and (variant.is_default or self.named is None or rule.code in self.named)
            and (variant.severity is Severity.ERROR or rule.code not in self.errors_only)
        )

    def of_packs(self) -> Checks:
        """The same without the rules of memlint itself, but for those about the run."""
        own = frozenset(rule.code for rule in packs.rules() if rule.detector != META)
        return replace(self, codes=self.codes - own)

    def wants_all(self, rule: Rule) -> bool:
        """Whether everything that a rule can say is to be reported."""
        return all(self.wants(rule, variant) for variant in rule.variants.values())
