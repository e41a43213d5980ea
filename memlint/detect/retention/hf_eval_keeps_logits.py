"""MEM126: a Trainer that holds the logits of the whole evaluation set on the GPU."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from memlint.analysis.dataflow.constants import constant
from memlint.analysis.fixes.rewrites import with_keyword
from memlint.analysis.match import Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hf_trainer import Training, same_place, trainings
from memlint.catalogue import Rule
from memlint.finding import Applicability

_TOKENS = re.compile(
    r"(For(CausalLM|MaskedLM|ConditionalGeneration|Seq2SeqLM|SpeechSeq2Seq|CTC|PreTraining"
    r"|Vision2Seq|ImageTextToText|SemanticSegmentation)|LMHeadModel|WithLMHead)$"
)
_TAGS = re.compile(r"ForTokenClassification$")
_SMALL = re.compile(r"For\w*(SequenceClassification|ImageClassification|AudioClassification|MultipleChoice)$")
_STEPS = "eval_accumulation_steps"
_REMEDIES = ("batch_eval_metrics", "prediction_loss_only")


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Trainers with compute_metrics, or asked to predict, that nothing tells to move or shrink the logits."""
    for training in trainings(model):
        if training.own or _is_given(model, training, "preprocess_logits_for_metrics"):
            continue
        has_metrics = _is_given(model, training, "compute_metrics")
        asked = None if has_metrics else _predicting(model, training)
        if not has_metrics and asked is None:
            continue
        variant = _variant(model, training, asked is not None)
        if variant:
            node = training.given["compute_metrics"] if has_metrics else asked
            assert node is not None
            values = {"trainer": training.name, "what": "compute_metrics" if has_metrics else "predict"}
            yield Match(node, values, variant, plans=_plans(model, training))


def _is_given(model: ScriptModel, training: Training, name: str) -> bool:
    return name in training.given and constant(model, training.given[name].value) is not None


def _predicting(model: ScriptModel, training: Training) -> cst.CSTNode | None:
    """The call of `predict` on the trainer."""
    line = model.parent(training.call)
    if not isinstance(line, cst.Assign):
        return None
    for call in model.names.calls:
        func = call.func
        if not isinstance(func, cst.Attribute) or func.attr.value != "predict":
            continue
        if any(same_place(model, func.value, target.target) for target in line.targets):
            return func
    return None


def _variant(model: ScriptModel, training: Training, predicts: bool) -> str:
    """Which finding a trainer deserves, "" for none."""
    if training.arguments is None:
        by_token = _TOKENS.search(training.model) or _TAGS.search(training.model)
        sure = not _is_told(model) and by_token and "Seq2Seq" not in training.name
        return "default" if sure and "args" in training.given else ""
    stated = {a.keyword.value: a for a in training.arguments.args if a.keyword is not None}
    if any(a.star for a in training.arguments.args) or _assigned(model):
        return ""
    if _STEPS in stated and constant(model, stated[_STEPS].value) is not None:
        return ""
    remedies = _REMEDIES[1:] if predicts else _REMEDIES
    if any(name in stated and constant(model, stated[name].value) is not False for name in remedies):
        return ""
    if (
        "predict_with_generate" in stated
        and constant(model, stated["predict_with_generate"].value) is not False
    ):
        return "generate"
    if _SMALL.search(training.model):
        return "small"
    if _TAGS.search(training.model):
        return "tags"
    return "tokens" if _TOKENS.search(training.model) else "default"


def _is_told(model: ScriptModel) -> bool:
    """Whether the file speaks of one of the remedies: what comes from the command line may then say it."""
    words = {_STEPS, *_REMEDIES}
    return bool(model.identifiers & words) or any(f'"{w}"' in model.text for w in words)


def _assigned(model: ScriptModel) -> bool:
    """Whether some line sets the argument later: `args.eval_accumulation_steps = 8`."""
    return any(
        isinstance(node.target, cst.Attribute) and node.target.attr.value in (_STEPS, *_REMEDIES)
        for node in model.names.every(cst.AssignTarget)
    )


def _plans(model: ScriptModel, training: Training) -> tuple[Plan, ...]:
    if training.arguments is None or any(arg.star for arg in training.arguments.args):
        return ()
    change = with_keyword(model, training.arguments, _STEPS, "16")
    return (Plan(Applicability.SAFE, f"add `{_STEPS}=16`", (change,)),)
