"""What a simulated run needs on a card, and whether the card has it. Sizes are in bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from memlint.runtime.cards import Card, Device, answer
from memlint.runtime.ranks import NCCL
from memlint.session import Arm, Capacity, OnCard, Term
from memlint.session.fit import BREAKS, FITS, MAY_NOT

CONVOLUTIONS = "cuDNN's convolutions"
"""In a term that is not in the numbers: cuDNN takes another algorithm where memory is short."""


_SEARCHED = (
    "cudnn.benchmark: a copy in another layout of what the largest convolution reads and writes; others take "
    "more where there is room for it, which stays reserved"
)
_NCCL = (
    "buffers for collectives by rings and trees; sends from rank to rank, all_to_all and NVLink SHARP take "
    "more"
)


def devices_of(cards: Iterable[Card], ranks: int = 0) -> tuple[Device, ...]:
    """What a run is to be tried with, three for each card: no end, the least and the most that it leaves.

    With several ranks, NCCL may take its buffers for one communicator of the least.
    """
    beside = NCCL if ranks > 1 else 0
    return tuple(
        (size, card.capability, card.processors)
        for card in cards
        for size in (0, card.total - card.context_most - beside, card.total_most - card.context_least)
    )


def alike(arm: Arm, one: Card, other: Card) -> bool:
    """Whether a run on one card is what it would be on another: all that it has asked has the same answer."""
    asked = arm.simulation.asked if arm.simulation is not None else ()
    return all(answer(one, question) == answer(other, question) for question in asked)


def on_card(arm: Arm, card: Card, rows: Sequence[Capacity], *, enough: int = 0) -> OnCard:
    """The verdict for a card: `rows` are what the run made of `devices_of` it.

    It fits if it runs with the least that the card may leave to torch's allocator, and does not if it fails
    with the most. `enough` is the least memory of the allocator with which it runs (0: not known).
    """
    whole, least, most = rows
    last = most if most.asked else least
    verdict = BREAKS if most.asked else MAY_NOT if least.asked else FITS
    buffers, searched = nccl(arm), _searched(arm)
    beside = buffers + searched
    is_full = whole.reserved + card.context_most + beside > card.total
    if verdict == FITS and is_full and (buffers > NCCL or searched):
        verdict = MAY_NOT
    return OnCard(
        card=card.name,
        title=card.title if card.name else card.in_words,
        capability=card.capability,
        total=card.total,
        verdict=verdict,
        needs=whole.reserved + card.context,
        least=whole.reserved + card.context_least,
        most=whole.reserved + card.context_most + beside,
        enough=enough + card.context if enough else 0,
        retries=least.retries if verdict == FITS else 0,
        asked=last.asked,
        exhausted=last.exhausted,
        arm=arm.name,
    )


def with_fewer(found: OnCard, masked: int) -> OnCard:
    """The verdict for a card where so many bytes of the need hang on how much masks select.

    A script that breaks when they select everything may fit when they do not.
    """
    least = found.least - masked
    verdict = MAY_NOT if found.verdict == BREAKS and least <= found.total else found.verdict
    return replace(found, least=least, verdict=verdict)


def nccl(arm: Arm) -> int:
    """Bytes that NCCL's buffers take at most, for all communicators of a rank; 0 for a process alone."""
    return NCCL * arm.simulation.communicators if arm.simulation is not None else 0


def _searched(arm: Arm) -> int:
    return arm.simulation.convolutions if arm.simulation is not None else 0


def terms(arm: Arm, card: Card) -> tuple[Term, ...]:
    """What the need of a run on a card is made of: exact, modelled, seen on such cards, or unknown."""
    counted = arm.cuda
    allocated, workspaces = counted["allocated_peak"], counted.get("workspaces", 0)
    tensors = arm.peak.bytes
    blocks = max(0, allocated - tensors - workspaces)
    reserve = counted["reserved_peak"] - allocated
    found = [
        Term("tensors", tensors, tensors, "exact", "all that are alive at the peak"),
        Term("blocks", blocks, blocks, "modelled", "rounding, rests of blocks, and what kernels work in"),
        Term("cuBLAS", workspaces, workspaces, "modelled", "a workspace for each thread that multiplies"),
        Term("reserve", reserve, reserve, "modelled", "what torch caches, and free parts of blocks"),
        Term("context", card.context_least, card.context_most, "seen", _context(card)),
    ]
    if buffers := nccl(arm):
        found.append(Term("NCCL", 0, buffers, "bounded", _NCCL))
    if searched := _searched(arm):
        found.append(Term("cuDNN", 0, searched, "bounded", _SEARCHED))
    unknown = arm.simulation.unknown if arm.simulation is not None else ()
    unknown = tuple(text for text in unknown if not text.startswith("buffers of NCCL"))
    return (*found, *(Term("not counted", 0, 0, "unknown", _bound(text)) for text in unknown))


def _context(card: Card) -> str:
    return f"CUDA's context and kernels {f'on {card.name}' if card.name else 'on cards of any kind'}"


def _bound(text: str) -> str:
    # try_plans in ATen/native/cudnn/Conv_v8.cpp catches that memory ran out, and takes the next plan.
    if CONVOLUTIONS in text:
        return f"{text}; no need of them: where memory is short, torch takes an algorithm that does with less"
    return text
