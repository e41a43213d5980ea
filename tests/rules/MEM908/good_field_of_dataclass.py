# a field of a dataclass

from dataclasses import dataclass

import torch


@dataclass
class Spec:
    require_grad: bool = False


spec = Spec()
spec.require_grad = True
setattr(torch.ones(1), "requires_grad", True)
