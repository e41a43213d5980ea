"""What MEM301 offers for a model in float16: autocast and a scaler where the loop allows it, or bfloat16."""

from __future__ import annotations

import pytest

from memlint.engine import check as engine
from memlint.finding import Applicability, Fix

SCRIPT = """\
import torch
from torch import nn
from data import loader
{before}
model = nn.Sequential(nn.Embedding(5000, 64), nn.Flatten(), nn.Linear(640, 1)).cuda().half()
opt = torch.optim.Adam(model.parameters())
for x, y in loader:
    opt.zero_grad()
    out = model(x.cuda())
    loss = {loss}
    loss.backward({given})
    {between}
    opt.step()
{after}
"""
PLAIN = {
    "before": "",
    "loss": "nn.functional.mse_loss(out, y.cuda())",
    "given": "",
    "between": "",
    "after": "",
}


def fixes(**parts: str) -> list[Fix]:
    text = SCRIPT.format(**{**PLAIN, **parts})
    checks = engine.Checks(frozenset({"MEM301"}), frozenset({"MEM301"}), "t.py")
    (finding,) = engine.check(text, "t.py", checks).findings
    return [fix for fix in (finding.fix, *finding.alternatives) if fix is not None]


def written(fix: Fix) -> str:
    return "\n".join(edit.text for edit in fix.edits)


def test_the_loop_gets_autocast_and_a_scaler() -> None:
    first, second = fixes()
    assert "autocast" in first.title
    assert "scaler.scale(loss).backward()" in written(first)
    assert "bfloat16" in second.title
    assert {f.applicability for f in (first, second)} == {Applicability.UNSAFE}


def test_the_arguments_of_backward_are_kept() -> None:
    assert "scaler.scale(loss).backward(retain_graph=True)" in written(fixes(given="retain_graph=True")[0])


@pytest.mark.parametrize(
    "parts",
    [
        {"loss": "nn.BCELoss()(out.sigmoid(), y.cuda().to(out.dtype))"},
        {"loss": "nn.functional.binary_cross_entropy(out.sigmoid(), y.cuda().to(out.dtype))"},
        {"given": "torch.ones_like(loss)"},
        {"between": "if model[0].weight.grad.isnan().any(): continue"},
        {"given": "gradient=torch.ones_like(loss)"},
        {"after": "print(model(torch.ones(1, 10, dtype=torch.half).cuda()))"},
    ],
)
def test_no_autocast_where_the_step_or_other_code_would_raise(parts: dict[str, str]) -> None:
    assert not any("autocast" in fix.title for fix in fixes(**parts))


@pytest.mark.parametrize(
    "line",
    [
        "nn.utils.clip_grad_norm_(model.parameters(), 1.0)",
        "for p in model.parameters(): p.grad.clamp_(-1, 1)",
        "print(model[0].weight.grad.norm())",
    ],
)
def test_what_looks_at_the_gradients_gets_them_unscaled(line: str) -> None:
    assert "scaler.unscale_(opt)" in written(fixes(between=line)[0])
    assert "unscale_" not in written(fixes()[0])


def test_a_scaler_of_another_kind_keeps_its_name() -> None:
    code = written(
        fixes(before="from sklearn.preprocessing import StandardScaler\nscaler = StandardScaler()")[0]
    )
    assert 'grad_scaler = torch.amp.GradScaler("cuda")' in code
    assert "grad_scaler.step(opt)" in code


@pytest.mark.parametrize(
    "after", ["print(out.detach().cpu().numpy())", "print(model(torch.ones(1, 10, dtype=torch.half).cuda()))"]
)
def test_bfloat16_is_only_shown_where_other_code_wants_float16(after: str) -> None:
    found = {fix.title: fix.applicability for fix in fixes(after=after)}
    assert found["use `.bfloat16()`"] is Applicability.DISPLAY
