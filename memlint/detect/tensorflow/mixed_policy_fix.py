"""The mixed precision policy in the place of a float16 default."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.dataflow.import_statements import head_of
from memlint.analysis.match import Plan, Replace
from memlint.analysis.tensorflow.flow import Flow
from memlint.finding import Applicability


def policy_plan(flow: Flow, call: cst.Call) -> Plan | None:
    """`set_floatx("float16")` becomes the mixed precision policy, where Keras can be named."""
    head = head_of(call.func)
    path = flow.model.names.one(head)
    names = {
        "tensorflow": f"{head.value}.keras.mixed_precision.set_global_policy",
        "tensorflow.keras": f"{head.value}.mixed_precision.set_global_policy",
        "keras": f"{head.value}.mixed_precision.set_global_policy",
    }
    if path not in names:
        return None
    code = f'{names[path]}("mixed_float16")'
    caution = 'variables are then float32; give the last layer dtype="float32"'
    return Plan(Applicability.UNSAFE, f"use `{code}`", (Replace(call, code),), caution)
