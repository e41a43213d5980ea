"""Logits that are deferred give the loss and the gradients that the script would have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")
from torch import nn  # noqa: E402
from torch.nn import functional  # noqa: E402

from memlint.runtime.child.changes import chunks  # noqa: E402

CLASSES, WIDTH = 50, 16
TARGETS = torch.arange(33).view(3, 11) % CLASSES
PADDED = TARGETS.masked_fill(TARGETS < 4, -100)
MASK = TARGETS % 3 > 0
Loss = Callable[[Any], Any]

DEFERRED: dict[str, Loss] = {
    "view": lambda z: functional.cross_entropy(z.view(-1, z.size(-1)), PADDED.view(-1)),
    "view of the shape": lambda z: functional.cross_entropy(
        z.view(z.shape[0] * z.shape[1], CLASSES), PADDED.view(-1), label_smoothing=0.1
    ),
    "reshape": lambda z: functional.cross_entropy(z.reshape(33, -1), TARGETS.reshape(-1)),
    "flatten": lambda z: functional.cross_entropy(z.flatten(0, 1), PADDED.flatten(), reduction="sum"),
    "shifted": lambda z: nn.CrossEntropyLoss(ignore_index=5)(
        z[..., :-1, :].contiguous().view(-1, CLASSES), TARGETS[..., 1:].contiguous().view(-1)
    ),
    "shifted by slices": lambda z: functional.cross_entropy(z[:, :-1].flatten(0, 1), PADDED[:, 1:].flatten()),
    "transposed": lambda z: functional.cross_entropy(z.transpose(1, 2), PADDED),
    "permuted": lambda z: functional.cross_entropy(z.permute(0, 2, 1), PADDED),
    "masked": lambda z: functional.cross_entropy(z[MASK], TARGETS[MASK]),
    "each row": lambda z: (
        functional.cross_entropy(z.view(-1, CLASSES), TARGETS.view(-1), reduction="none").square().sum()
    ),
    "each row, masked": lambda z: (
        (functional.cross_entropy(z.transpose(1, 2), PADDED, reduction="none") * MASK).sum() / MASK.sum()
    ),
    "log-softmax": lambda z: functional.nll_loss(
        functional.log_softmax(z, -1).view(-1, CLASSES), PADDED.view(-1)
    ),
    "log-softmax of rows": lambda z: nn.NLLLoss(ignore_index=5)(
        nn.LogSoftmax(dim=1)(z.view(-1, CLASSES).float()), TARGETS.view(-1)
    ),
    "log-softmax, transposed": lambda z: nn.NLLLoss(reduction="sum")(
        torch.log_softmax(z, 2).transpose(1, 2), PADDED
    ),
    "log-softmax, each row": lambda z: functional.nll_loss(
        z.log_softmax(-1)[MASK], TARGETS[MASK], reduction="none"
    ).square().sum(),
    "converted": lambda z: functional.cross_entropy(z.float().view(-1, CLASSES), PADDED.view(-1)),
}
WHOLE: dict[str, Loss] = {
    "accuracy": lambda z: functional.cross_entropy(z.flatten(0, 1), PADDED.flatten()) + 0 * z.argmax(),
    "temperature": lambda z: functional.cross_entropy((z / 0.7).flatten(0, 1), PADDED.flatten()),
    "fewer classes": lambda z: functional.cross_entropy(z[..., :40].flatten(0, 1), TARGETS.flatten()),
    "logarithms of others": lambda z: functional.nll_loss(
        z.log_softmax(1).flatten(0, 1), TARGETS.flatten()
    ),
    "logarithms of logarithms": lambda z: functional.nll_loss(
        z.log_softmax(-1).log_softmax(-1).flatten(0, 1), TARGETS.flatten()
    ),
    "scores as logarithms": lambda z: functional.nll_loss(z.flatten(0, 1), TARGETS.flatten()),
    "logarithms as scores": lambda z: functional.cross_entropy(
        z.log_softmax(-1).flatten(0, 1), TARGETS.flatten(), label_smoothing=0.1
    ),
    "class weights": lambda z: functional.cross_entropy(
        z.flatten(0, 1), TARGETS.flatten(), weight=torch.arange(1.0, CLASSES + 1)
    ),
}  # fmt: skip
RESHAPED = {"class weights", "logarithms of logarithms", "scores as logarithms", "logarithms as scores"}
"""Forms in which it is another view of the logits that is computed as a whole."""


def trained(loss_of: Loss, cast: bool = False) -> tuple[list[Any], Any]:
    torch.manual_seed(0)
    hidden, head = torch.randn(3, 11, WIDTH, requires_grad=True), nn.Linear(WIDTH, CLASSES)
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=cast):
        logits = head(hidden)
    loss = loss_of(logits)
    loss.backward()
    return [loss.detach(), hidden.grad, head.weight.grad, head.bias.grad], logits


@pytest.fixture
def deferred(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    def install() -> None:
        monkeypatch.setattr(functional, "linear", functional.linear)
        monkeypatch.setattr(chunks, "ROWS", 7)
        monkeypatch.setattr(chunks, "_is_last", lambda given, weight: weight.shape[0] == CLASSES)
        chunks.install()

    return install


@pytest.mark.parametrize("form", [*DEFERRED, *WHOLE])
def test_the_loss_and_its_gradients_are_the_same(form: str, deferred: Callable[[], None]) -> None:
    loss_of = {**DEFERRED, **WHOLE}[form]
    expected, _ = trained(loss_of)
    deferred()
    found, logits = trained(loss_of)
    assert isinstance(logits, chunks.Logits)
    for one, other in zip(expected, found, strict=True):
        assert torch.allclose(one, other, atol=1e-5)
    assert (logits.made is None) == (form in DEFERRED or form in RESHAPED)


def test_autocast_is_that_of_the_layer(deferred: Callable[[], None]) -> None:
    expected, _ = trained(DEFERRED["converted"], cast=True)
    deferred()
    found, logits = trained(DEFERRED["converted"], cast=True)
    assert logits.dtype is torch.bfloat16
    for one, other in zip(expected, found, strict=True):
        assert torch.allclose(one, other, atol=1e-3, rtol=0.02)
