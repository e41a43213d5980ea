"""Changes that memlint can make while a script runs: what they are called, how to write them, their price."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from memlint.finding import Applicability, Finding
from memlint.runtime.cards import Card
from memlint.runtime.parent.counterfactual import Variant, fix_of
from memlint.runtime.parent.fit.change import Change
from memlint.runtime.parent.fit.knob import Knob
from memlint.runtime.parent.fit.written.write import ARGUMENT, PARTS, Writing
from memlint.session import Arm, Offer

BFLOAT16 = (8, 0)
"""The compute capability from which GPUs multiply bfloat16 numbers."""

ACCUMULATE = "accumulate"
WHOLE = "whole-batches"
"""What a run says in place of accumulation where the loss compares the items of a batch with one another."""

ITEMS = "items"
"""What a run says of the data that feed its steps: `what` is how many there are."""

MICRO = "micro-batches"
"""What a run says where a step sums the gradients of several backwards: `what` is how many were seen."""

TRAINER = "trainer"
"""What a run says where the Trainer of transformers makes its steps."""

ARGUMENTS = {
    "checkpoint": "gradient_checkpointing=True",
    "autocast": "{dtype}=True",
    ACCUMULATE: "per_device_train_batch_size={size}, gradient_accumulation_steps {times} times as many",
    "adam-8bit": 'optim="adamw_bnb_8bit"',
    "adam-paged": 'optim="paged_adamw_32bit"',
}
"""What its TrainingArguments have for a change (training_args.py of transformers 5.24)."""

_SHORT = {"bfloat16": "bf16", "float16": "fp16"}

CHUNKED = "chunked-loss"
ENABLE = "enable-autocast"
"""What a run says where the script has an autocast around its training, and does not enable it."""
BATCH_NORM = "BatchNorm"
UNCOUNTED = "uncounted rows"
"""What a run says of a loss that is a mean over rows that do not all count, or not as much."""

NO_MEAN = "no mean"
"""What a run says of a loss whose graph is not seen to be a mean over the items of a batch."""

KEEPS = "kept state"
"""What a run says of a model whose forward pass changes its buffers or frozen weights."""

_ONCE_EACH = (
    "a forward pass changes buffers or frozen weights (averages, queues), and that of each smaller batch does"
)
_IN_PARTS = (
    "the loss is not seen to be a plain mean over the items: a sum is not to be divided, and means over what "
    "a mask leaves, or ratios of sums, are not the mean of their parts"
)
_BY_ROWS = (
    "each mean counts by its rows: with targets that the loss leaves out (ignore_index) or weighs by class, "
    "their sum is not the mean of the whole, and a batch of which none counts has no mean"
)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of change: its name, and the price in words.

    `rank` orders kinds by what they cost, 0 is nothing; `excludes` are rules and kinds that do not go with
    it; `code` is that of the rule that can write it, "" where there is none. `on_batch_norm` is the price
    where a model has such layers.
    """

    name: str
    rank: int
    price: str
    excludes: frozenset[str] = frozenset()
    code: str = ""
    on_batch_norm: str = ""


KINDS = {
    "freeze": Kind("freezing", 0, "none: no optimizer has them", code="MEM205"),
    "expandable": Kind(
        "expandable segments", 1, "experimental in torch, and not on Windows", code="MEM506"
    ),
    "step-in-backward": Kind(
        "step in backward", 3,
        "no clipping, accumulation or GradScaler; one optimizer, and one schedule, for each parameter",
        frozenset({"MEM804", "adam-8bit", "adam-paged", ACCUMULATE}),
    ),
    ACCUMULATE: Kind(
        "gradient accumulation", 2, "more and smaller kernels; a loss across items of a batch sees fewer",
        frozenset({"step-in-backward"}), on_batch_norm="BatchNorm sees smaller batches",
    ),
    "autocast": Kind("mixed precision", 3, "products in {dtype}: other rounding", code="MEM802"),
    ENABLE: Kind("mixed precision", 3, "products in {dtype}: other rounding"),
    "checkpoint": Kind(
        "activation checkpointing", 3, "the forward pass of these blocks runs twice", code="MEM801",
        on_batch_norm="BatchNorm updates its running statistics twice a step",
    ),
    CHUNKED: Kind(
        "chunked cross-entropy", 2,
        "the last layer is computed twice for each chunk; its outputs are there for nothing else",
        code="MEM806",
    ),
    "adam-8bit": Kind(
        "8-bit optimizer states", 4, "states are rounded; another package, whose layout was simulated",
        frozenset({"MEM804", "step-in-backward", "adam-paged"}),
    ),
    "adam-paged": Kind(
        "paged optimizer states", 5,
        "states lie in managed memory, which the driver moves between host and GPU in every step; another "
        "package, whose layout was simulated",
        frozenset({"MEM804", "step-in-backward", "adam-8bit"}),
    ),
    "offload": Kind(
        "offloaded activations", 5,
        "what backward needs goes to pinned host memory and back in every step: up to several times slower",
    ),
}  # fmt: skip

WRITTEN = frozenset({"autocast", "offload"})
"""What is written around forward pass and loss."""

LASTING = frozenset({"adam-8bit", "adam-paged", "expandable", CHUNKED})
"""Changes that an evaluation sees as well: the others change nothing there."""

SAFE_RANK, UNSAFE_RANK = 0, 1


@dataclass(frozen=True, slots=True)
class Candidate:
    """A change that may save something, and what a report says of it.

    `variant` is the fix that it is, None for one that is made while the script runs. `kind` is the code of
    the fix's rule, or a key of KINDS. `writing` says how it is written into the script, if it can be, and
    `otherwise` how where that is refused.
    """

    change: Change
    kind: str
    rank: int
    code: str
    name: str
    path: str
    line: int
    title: str
    applicability: str
    price: str = ""
    how: str = ""
    variant: Variant | None = None
    writing: Writing | None = None
    otherwise: Writing | None = None

    @property
    def is_written(self) -> bool:
        """Whether memlint can write it into the files."""
        return self.variant is not None or self.writing is not None

    def goes_with(self, other: Candidate) -> bool:
        """Whether both can be made."""
        return other.kind not in _excluded(self.kind) and self.kind not in _excluded(other.kind)


def of_fix(variant: Variant, findings: Sequence[Finding], change: Change) -> Candidate:
    """The fix of a finding."""
    finding = findings[variant.findings[0]]
    fix = fix_of(finding)
    assert fix is not None
    rank = SAFE_RANK if fix.applicability is Applicability.SAFE else UNSAFE_RANK
    return Candidate(
        change, finding.code, rank, finding.code, finding.name, finding.path, finding.span.line, fix.title,
        fix.applicability.value, price=fix.caution, variant=variant,
    )  # fmt: skip


def of_offers(arm: Arm, card: Card, written: frozenset[str], knob: Knob | None) -> Iterator[Candidate]:
    """What the run of a script says could be changed in it, without what a fix does (`written`, by code).

    `knob` is the batch size of a script whose batches come from no DataLoader.
    """
    offers = {offer.change.partition(":")[0]: offer for offer in arm.offers}
    for name, kind in KINDS.items():
        if (kind.code and kind.code in written) or name == ACCUMULATE:
            continue
        if (offer := offers.get(name)) is not None and (name in LASTING or arm.peak.phase != "evaluation"):
            made = _candidate(name, kind, offer, card)
            yield _by_arguments(made, TRAINER in offers, dtype=_SHORT[_dtype(card)])
    found = accumulating(arm, card, knob, 2)
    if found is not None and arm.peak.phase != "evaluation":
        yield found


def _by_arguments(candidate: Candidate, by_trainer: bool, **words: object) -> Candidate:
    """The same as an argument of a Trainer's, where one trains and has such an argument."""
    argument = ARGUMENTS.get(candidate.kind) if by_trainer else None
    if argument is None:
        return candidate
    said = argument.format(**words)
    word = str(words["times"]) if candidate.kind == ACCUMULATE else said
    writing = Writing(ARGUMENT, word, ()) if "optim" not in said else None
    if candidate.kind == "adam-8bit":  # its states of embeddings stay float32
        candidate = replace(candidate, change=replace(candidate.change, runtime=("adam-8bit:tables",)))
    return replace(candidate, how=f"TrainingArguments: {said}", writing=writing, otherwise=None)


def accumulating(arm: Arm, card: Card, knob: Knob | None, times: int) -> Candidate | None:
    """Batches divided by `times`, and steps after so many of them; None where that leaves nothing."""
    offer = next((o for o in arm.offers if o.change.partition(":")[0] == ACCUMULATE), None)
    if offer is None and (knob is None or not arm.offers or any(o.change == WHOLE for o in arm.offers)):
        return None
    batch = int(offer.what) if offer is not None else knob.given  # type: ignore[union-attr]
    if batch < times:
        return None
    numbers = offer.change.partition(":")[2] if offer is not None else ""
    by_trainer = any(o.change == TRAINER for o in arm.offers)
    cautions = {caution for other in arm.offers for caution in other.cautions}
    if by_trainer:
        cautions -= {UNCOUNTED, NO_MEAN}  # it counts the targets of all batches of a step
    unequal = bool(cautions & {UNCOUNTED, NO_MEAN, KEEPS})
    made = _candidate(ACCUMULATE, KINDS[ACCUMULATE], Offer(ACCUMULATE, cautions=tuple(cautions)), card)
    name, title = f"{ACCUMULATE}-{times}", f"batches of {batch // times:,} instead of {batch:,}"
    sums = any(o.change == MICRO for o in arm.offers)
    once = f"{times} times as many batches" if sums else f"{times} batches"
    how = f"loss / {times}; optimizer.step() and zero_grad() once in {once}, each where it is"
    waits = f"{times} times as many" if sums else f"{times} of them"
    runtime: tuple[str, ...] = (f"{ACCUMULATE}:{times}:{numbers}",)
    change = Change(name, f"{title}, a step after {times}", runtime=runtime, parts=times)
    if knob is not None and knob.given == batch and knob.micro is not None:
        change = replace(knob.change(batch // times), name=name)
        how = change.title
        waits = f"{knob.micro.given * batch // (batch // times):,} of them instead of {knob.micro.given:,}"
    elif knob is not None and knob.given == batch:
        other = knob.change(batch // times)
        if offer is None or other.arguments:
            # As whoever makes this change would: loaders for an evaluation may have the same size.
            runtime = (f"{ACCUMULATE}:{times}:",)
            change = replace(change, overlay=other.overlay, arguments=other.arguments, runtime=runtime)
            how = f"{other.title}; {how}" if other.arguments else how
    written = None
    if offer is not None and offer.made and batch % times == 0 and not (sums or unequal):
        written = Writing(ACCUMULATE, str(times), offer.regions, offer.made)
    cut = next((o for o in arm.offers if o.change == PARTS and not unequal), None)
    in_parts = (
        Writing(PARTS, str(times), cut.regions, batches=cut.batches, rows=batch) if cut is not None else None
    )
    title = f"{title}, and a step after {waits}"
    made = replace(made, change=change, title=title, how=how, writing=in_parts, otherwise=written)
    return _by_arguments(made, by_trainer, size=batch // times, times=times)


def _candidate(name: str, kind: Kind, offer: Offer, card: Card) -> Candidate:
    dtype = (offer.how if name == ENABLE else "") or _dtype(card)
    price = kind.price.format(dtype=dtype)
    if BATCH_NORM in offer.cautions and kind.on_batch_norm:
        price = f"{price}; {kind.on_batch_norm}"
    if name == "autocast" and dtype == "float16":
        price = f"{price}, and a GradScaler"
    if UNCOUNTED in offer.cautions:
        price = f"{price}; {_BY_ROWS}"
    if NO_MEAN in offer.cautions:
        price = f"{price}; {_IN_PARTS}"
    if KEEPS in offer.cautions:
        price = f"{price}; {_ONCE_EACH}"
    title, how = _in_words(name, offer, dtype)
    runtime = f"{name}:{dtype}" if name == "autocast" else name
    if name == ENABLE:
        runtime = f"{offer.change.rpartition(':')[0]}:{dtype}"
    change = Change(name, title, runtime=(runtime,))
    writing = Writing(name, dtype, offer.regions) if name in WRITTEN else None
    return Candidate(change, name, kind.rank, "", kind.name, "", 0, title, "", price, how, writing=writing)


def as_written(candidate: Candidate, overlay: tuple[tuple[str, str], ...], path: str, line: int) -> Candidate:
    """A change that is made in the text of the script instead of while it runs."""
    name = f"{candidate.change.name}-written"
    change = replace(candidate.change, name=name, overlay=overlay, runtime=(), arguments=())
    unsafe = Applicability.UNSAFE.value
    if candidate.writing is not None and candidate.writing.kind == PARTS:
        # As many batches and steps as before, whatever the script calls a batch.
        title = (
            f"each batch of {candidate.writing.rows:,} in {candidate.writing.word} parts, one after the other"
        )
        change = replace(change, title=title, parts=1)
        candidate = replace(candidate, title=title)
    return replace(candidate, change=change, path=path, line=line, applicability=unsafe, how="")


def _dtype(card: Card) -> str:
    return "bfloat16" if card.capability >= BFLOAT16 else "float16"


def _in_words(name: str, offer: Offer, dtype: str) -> tuple[str, str]:
    """What a change does, and how to write it."""
    if name == "checkpoint":
        return f"compute the activations of {offer.what} again in backward", offer.how
    if name == "autocast":
        how = f'with torch.autocast("cuda", dtype=torch.{dtype}): around forward pass and loss'
        return f"forward pass and loss in {dtype} where torch's autocast says so", how
    if name == ENABLE:
        also = " and of the GradScaler" if dtype == "float16" else ""
        if not offer.how:
            title = f"use {dtype} in the autocast at {offer.what}, which is one of float32"
            scaled = ", and enabled=True of the GradScaler" if also else ""
            return title, f"dtype=torch.{dtype} of that autocast{scaled}"
        title = f"use the autocast at {offer.what}, which is not enabled"
        return title, f"enabled=True of that autocast, of others that the same option is for{also}"
    if name == "expandable":
        how = "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True in the environment, which all versions read"
        return (
            "let torch's allocator grow its segments, so that fewer free parts are left between tensors",
            how,
        )
    if name == CHUNKED:
        how = (
            "the last layer and the loss for some hundred rows at a time under torch.utils.checkpoint, as "
            "`memlint rule MEM806` shows it; where there is a loss, in an evaluation too, nothing else gets "
            "logits"
        )
        return f"never keep all logits of the loss ({offer.what})", how
    if name == "adam-8bit":
        how = " or ".join(f"bitsandbytes.optim.{kind}8bit" for kind in offer.what.split(" and "))
        return f"keep the states of {offer.what} in 8 bits", how
    if name == "adam-paged":
        how = " or ".join(f"bitsandbytes.optim.Paged{kind}32bit" for kind in offer.what.split(" and "))
        return f"keep the states of {offer.what} in managed memory", how
    if name == "step-in-backward":
        how = "parameter.register_post_accumulate_grad_hook(...) in place of optimizer.step()"
        return f"let {offer.what} step for each parameter within backward, and drop its gradient", how
    if name == "freeze":
        how = "requires_grad_(False) for them"
        return f"compute no gradients for {offer.what} that no optimizer has", how
    if name == "offload":
        how = "with torch.autograd.graph.save_on_cpu(pin_memory=True): around forward pass and loss"
        return "keep on the host what forward saves for backward", how
    return "", ""


def _excluded(kind: str) -> frozenset[str]:
    return KINDS[kind].excludes if kind in KINDS else frozenset()
