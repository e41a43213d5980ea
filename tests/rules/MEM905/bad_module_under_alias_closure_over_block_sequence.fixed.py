# the module under an alias, a closure over the block, a sequence of stages

import torch
import torch.utils.checkpoint as cp


class Stage(torch.nn.Module):
    def __init__(self, stages):
        super().__init__()
        self.stages = stages
        self.with_cp = True

    def forward(self, x):
        def inner(value):
            return self.stages(value).relu()

        if self.with_cp and x.requires_grad:
            out = cp.checkpoint(inner, x, use_reentrant=True)
        else:
            out = inner(x)
        return out


def run(stages, x):
    return cp.checkpoint_sequential(
        stages,
        4,
        x,
        preserve_rng_state=False,
        use_reentrant=True,
    )
