"""The fixed words of a session: kinds, phases, units, reasons for which a run ends, statuses."""

from __future__ import annotations

KINDS = ("parameter", "gradient", "optimizer state", "activation", "input", "temporary", "other")
"""Roles of a tensor; `activation` is what forward made and backward (or a graph) still needs."""

PHASES = ("setup", "forward", "backward", "optimizer", "evaluation", "other")
"""What the script was doing; `other` is everything between the named phases of a step."""

SIMULATED = "simulated cuda:0"
"""The device of a simulated run, as arms and verdicts name it."""

MEASURED = ("cpu", "cuda", "simulated cuda")
"""Kinds of devices whose memory a replay measures, or predicts."""

ENDED, FAILED = "the script ended", "the script failed"
"""Reasons for which most runs end."""

LEAST_STEPS = 25
"""Optimizer steps that a replay looks at unless it is told how many: enough to tell 512 B per step
from warm-up."""

WINDOW = 200
"""Backwards without any step after which a script's optimizers are taken to be no part of its training."""

ENOUGH = 7
"""Iterations from which on a growth can be seen."""

STEP, BACKWARD, FORWARD = UNITS = ("optimizer step", "backward", "forward")
"""How the series of steps begin, the first that a script has counts: optimizer steps, the backwards of one
whose optimizers never step, root forwards. The line follows ("optimizer step at train.py:9")."""

TIME_LIMIT = "time limit"
MEMORY_LIMIT = "memory limit"
"""How the reasons begin for which a run was ended from outside of the script; how much it was follows."""

SIMULATION_ENDED = "the simulation ended"
"""Why a run ended that could not be simulated further."""

INVENTED = "Invented"
"""The type of a failure that may have come of invented values; which they are is its message."""

KILLED = "Killed"
"""The type of a failure of which nothing is left but how the process ended; that is its message."""

INTERRUPTED = "interrupted"
"""Why a run ended that was asked to end early, by Ctrl-C or a signal to memlint."""

NODES = "autograd graph"
"""The `device` of what holds autograd nodes."""

ARRAYS = "arrays of NumPy"
"""The `device` of arrays that pile up in host memory."""

STATUSES = ("confirmed", "refuted", "host_only", "not_reached", "inconclusive", "not_measurable")

KEPT_BY_BACKWARD, FOR_OTHERS, FOR_NO_OPTIMIZER, NAMED, OF_LINE = (
    "kept-by-backward", "saved-for-others", "saved-for-no-optimizer", "bytes-in-backward",
    "activations-of-line",
)  # fmt: skip
"""Questions about bytes that nobody needs: tensors that a backward() leaves in its graph, what is saved for
gradients of parameters that the step which follows, or any optimizer at all, does not train, what only names
of the script hold while a backward() runs, and what the graph of a line costs that no step uses."""

OF_GRAPHS = frozenset({KEPT_BY_BACKWARD, FOR_OTHERS, FOR_NO_OPTIMIZER, NAMED, OF_LINE})
"""All of them: no tensor needs a value for the answer."""


def stop_in_words(stopped: str) -> str:
    """Why a run ended, as a clause: "stopped after 25 optimizer steps", or what is a clause already."""
    if stopped.startswith((TIME_LIMIT, MEMORY_LIMIT)):
        return f"stopped by the {stopped}"
    return f"stopped after {stopped}" if stopped[:1].isdigit() else stopped


def is_measured(device: str) -> bool:
    """Whether a replay measures the memory of a device ("cuda:0", "mps:0")."""
    return device.partition(":")[0] in MEASURED
